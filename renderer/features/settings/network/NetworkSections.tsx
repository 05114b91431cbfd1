import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { useHealth } from '../../../stores/health.ts';
import { useRequest } from '../../../stores/use-request.ts';
import { CertificatePart } from './CertificatePart.tsx';
import { ContactsSection } from './ContactsSection.tsx';
import { MirrorPart } from './MirrorPart.tsx';
import css from './Network.module.css';
import { ProxyPart } from './ProxyPart.tsx';
import { SignInPart } from './SignInPart.tsx';

/** Proxy, company certificate, npm mirror, and whom Gantry contacts. */
export const NetworkSections = ({ settings }: { readonly settings: Settings }): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const unlocked = useHealth((s) => (s.health.phase === 'ready' ? s.health.value.secrets.state : ''));
  const { state, reload } = useRequest('network:get', {}, `${version} ${unlocked}`);
  const changed = (): void => setVersion((before) => before + 1);
  // a test contacts somebody: the table below reads again, the forms stay as they are written
  const [tested, setTested] = useState(0);
  const onTested = (): void => setTested((before) => before + 1);
  return (
    <div className={css['parts']}>
      <LoadedView of={state} what={t('settings.network.reading')} rows={5} retry={reload}>
        {({ network }) => (
          <>
            <ProxyPart settings={settings} network={network} onChanged={changed} onTested={onTested} />
            <CertificatePart settings={settings} network={network} onChanged={changed} onTested={onTested} />
            <MirrorPart settings={settings} network={network} onChanged={changed} onTested={onTested} />
          </>
        )}
      </LoadedView>
      <SignInPart settings={settings} onChanged={changed} />
      <ContactsSection version={`${version} ${tested}`} />
    </div>
  );
};
