import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Launch } from '../../../shared/server.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { LaunchFacts, type AwaitedPackage } from './LaunchFacts.tsx';
import classes from './ConsentScreen.module.css';
import form from './Form.module.css';
import { Warnings } from './Warnings.tsx';

interface ConsentScreenProps {
  /** what is agreed to, by its name */
  readonly name: string;
  /** an app of the market that cannot be added as things are: the host refuses it */
  readonly refused?: boolean;
  readonly launch: Launch;
  readonly home: 'own' | 'user';
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
  /** the package that will be fetched before it can run */
  readonly downloads: AwaitedPackage | null;
  readonly onAgree: () => void;
  readonly onBack: () => void;
}

/** Exactly what will run, before anything does. No button is chosen beforehand. */
export function ConsentScreen({ name, refused = false, launch, home, warnings, downloads, onAgree, onBack }: ConsentScreenProps) {
  const { t } = useTranslation();
  return (
    <div className={`g-panel ${classes['screen']}`}>
      <h1 className="g-title">{t(launch.kind === 'http' ? 'servers.consent.remoteTitle' : 'servers.consent.title')}</h1>
      <p className={form['lead']}>
        <strong>
          <UntrustedText text={name} maxLength={120} />
        </strong>
        {' · '}
        {t('servers.consent.about')}
      </p>
      <Warnings warnings={warnings} />
      {downloads && (
        <p className={classes['download']}>
          {t('servers.consent.downloads', { name: downloads.package, version: downloads.version ?? t('servers.consent.latest') })}
        </p>
      )}
      <LaunchFacts launch={launch} home={home} awaited={downloads} />
      <div className={form['foot']}>
        <Button variant="filled" disabled={refused} aria-describedby={refused ? 'consent-refused' : undefined} onClick={onAgree}>
          {t(downloads ? 'servers.consent.agreeInstall' : 'servers.consent.agree')}
        </Button>
        <Button onClick={onBack}>{t('servers.add.back')}</Button>
        {refused && (
          <p id="consent-refused" className="g-awaits g-small">
            {t('servers.consent.refused')}
          </p>
        )}
      </div>
    </div>
  );
}
