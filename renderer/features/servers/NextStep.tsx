import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { ConsentAgain } from './ConsentAgain.tsx';
import { Diagnosis } from './Diagnosis.tsx';
import { InstallProgress } from './InstallProgress.tsx';
import { CircuitFacts } from './CircuitFacts.tsx';
import { signInNeed } from './sign-in/sign-in-need.ts';
import { addedAs, isRegistering } from './server-claims.ts';
import classes from './ServerPage.module.css';

/** What this server needs now, one thing at a time: nothing when it is ready and used. */
export function NextStep({ server, onLogs }: { readonly server: ServerDetail; readonly onLogs: () => void }) {
  const { t } = useTranslation();
  const { status } = server;
  if (server.quarantinedAt !== null) return null;
  if (status.state === 'installing') {
    return (
      <div className="g-panel">
        <InstallProgress serverId={server.id} status={status} />
      </div>
    );
  }
  if (!server.enabled) return <p className="g-muted">{t('servers.next.disabled')}</p>;
  if (server.consentedFingerprint !== server.launch.fingerprint && (status.state === 'installed' || (status.state === 'unavailable' && status.code === 'consent_required'))) return <ConsentAgain server={server} />;
  // what a sign-in mends has a panel of its own
  if (server.signIn?.pending || signInNeed(server) !== null) return null;
  if (status.state === 'unavailable') return <Diagnosis server={server} status={status} onLogs={onLogs} />;
  if (status.state === 'installed') return <ConnectNow server={server} />;
  if (status.state === 'connecting' || status.state === 'discovering') {
    return (
      <div className={`g-panel ${classes['next']}`} role="status">
        <p>
          {t(isRegistering(server) ? 'servers.next.registering' : `servers.next.${status.state}`)} <TimeText at={status.since} />
          {status.state === 'connecting' && status.latestLine !== undefined && (
            <>
              <br />
              <span className="g-mono g-muted">
                <UntrustedText text={status.latestLine} maxLength={200} />
              </span>
            </>
          )}
        </p>
        <CircuitFacts circuit={server.circuit} />
        <div className={classes['buttons']}>
          <Button onClick={onLogs}>{t('servers.logs.open')}</Button>
          <Button onClick={() => void act('servers:disable', { serverId: server.id })}>{t('servers.next.stop')}</Button>
        </div>
      </div>
    );
  }
  if (status.state === 'ready' && server.grantedCount === 0 && (server.toolCount ?? 0) > 0) {
    return (
      <div className={`g-panel ${classes['next']}`}>
        <p>{t('servers.next.allow', { count: server.toolCount ?? 0 })}</p>
        <div className={classes['buttons']}>
          <Button component="a" href={href.capabilities(new URLSearchParams({ server: server.id }).toString())}>
            {t('servers.next.review')}
          </Button>
        </div>
      </div>
    );
  }
  return null;
}

function ConnectNow({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const connect = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('servers:connect', { serverId: server.id });
    setBusy(false);
    setFailure(answer.ok ? null : answer.error);
  };
  return (
    <div className={`g-panel ${classes['next']}`} data-guide="connect">
      <div>
        <p>{t(`servers.next.${addedAs(server.spec)}`)}</p>
        {failure && <FaultView fault={failure} compact />}
      </div>
      <Button variant="filled" loading={busy} onClick={() => void connect()}>
        {t('servers.next.connect')}
      </Button>
    </div>
  );
}
