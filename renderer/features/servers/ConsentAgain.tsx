import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { href } from '../../routes.ts';
import { consentedLaunch, launchDifference } from './launch-difference.ts';
import { LaunchFacts } from './LaunchFacts.tsx';
import consent from './ConsentScreen.module.css';
import classes from './ServerPage.module.css';

/** What would run is not what was agreed to: old and new side by side, differences marked. Nothing runs until the person agrees to this very launch. */
export function ConsentAgain({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const first = server.consentedFingerprint === null;
  const before = consentedLaunch(server.facts, server.consentedFingerprint);
  const marked = before ? launchDifference(before, server.launch) : new Set<string>();
  const agree = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('servers:connect', { serverId: server.id, consent: server.launch.fingerprint });
    setBusy(false);
    setFailure(answer.ok ? null : answer.error);
  };
  return (
    <section className={`g-panel ${classes['block']} ${classes['loud']}`} aria-label={t(first ? 'servers.consent.title' : 'servers.consent.changedTitle')}>
      <h2>{t(first ? 'servers.consent.title' : 'servers.consent.changedTitle')}</h2>
      <p className="g-muted">{t(first ? 'servers.consent.about' : 'servers.consent.changedAbout')}</p>
      {before ? (
        <div className={consent['sides']}>
          <div>
            <h3 className="g-heading">{t('servers.consent.before')}</h3>
            <LaunchFacts launch={before} home={server.home} marked={marked} />
          </div>
          <div>
            <h3 className="g-heading">{t('servers.consent.after')}</h3>
            <LaunchFacts launch={server.launch} home={server.home} marked={marked} />
          </div>
        </div>
      ) : (
        <>
          {server.consentedFingerprint !== null && (
            <p>
              {t('servers.consent.onlyMark')}<Hash value={server.consentedFingerprint} />
            </p>
          )}
          <LaunchFacts launch={server.launch} home={server.home} />
        </>
      )}
      {failure && <FaultView fault={failure} compact />}
      <div className={classes['actions']} style={{ marginTop: 12 }}>
        <Button variant="filled" loading={busy} onClick={() => void agree()}>
          {t('servers.consent.agreeConnect')}
        </Button>
        <Button component="a" href={href.configure(server.id)}>
          {t('servers.configure.open')}
        </Button>
      </div>
    </section>
  );
}
