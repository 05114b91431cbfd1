import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerDetail, ServerState } from '../../../shared/server.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { useRequest } from '../../stores/use-request.ts';
import { agreeableAddress } from './reach/agreeable.ts';
import { CircuitFacts } from './CircuitFacts.tsx';
import classes from './ServerPage.module.css';
import { useSecretStore } from './use-secret-store.tsx';

type Unavailable = Extract<ServerState, { readonly state: 'unavailable' }>;
const LAST = 12;

/** Why it is not available: cause, what was not done, remedy, the last lines it wrote, everything to copy, and another try. */
export function Diagnosis({ server, status, onLogs }: { readonly server: ServerDetail; readonly status: Unavailable; readonly onLogs: () => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { ensureOpen, dialog } = useSecretStore();
  const { state: logs } = useRequest('servers:logs', { serverId: server.id }, status.since);
  const lines = logs.phase === 'ready' ? logs.value.lines.filter((line) => line.source !== 'host').slice(-LAST) : [];
  const retry = async (): Promise<void> => {
    if (status.code === 'secret_store_locked') {
      const opened = await ensureOpen();
      if (!opened.ok || !opened.value) return;
    }
    setBusy(true);
    await act('servers:connect', { serverId: server.id });
    setBusy(false);
  };
  const { fault } = status;
  const agreeable = agreeableAddress(fault);
  const agree = async (to: NonNullable<typeof agreeable>): Promise<void> => {
    setBusy(true);
    await act('servers:agree-address', { serverId: server.id, ...to });
    setBusy(false);
  };
  const details = { ...fault.details, server: { id: server.id, spec: server.spec, version: server.installation?.version ?? null, tries: status.tries ?? null, lastLines: lines.map((line) => line.text) } };
  const known = { code: fault.code, message: fault.message, ...(fault.field === undefined ? {} : { field: fault.field }), details };
  return (
    <section className={`g-panel ${classes['block']}`} aria-label={t('servers.diagnosis.title')}>
      <h2 className="g-heading">
        {t('servers.diagnosis.title')} · <TimeText at={status.since} />
      </h2>
      <FaultView fault={known} opens={false} />
      <p style={{ marginTop: 10 }}>{t(server.answers.identity.fact === 'identity.nothing_discovered' ? 'servers.diagnosis.notDoneNothing' : 'servers.diagnosis.notDone')}</p>
      <CircuitFacts circuit={server.circuit} />
      {server.circuit.state === 'closed' && status.tries !== undefined && status.tries > 0 && (
        <p className="g-muted g-small">
          {t('servers.diagnosis.tries', { count: status.tries })}
          {status.retryAt !== undefined && (
            <>
              <br />
              {t('servers.diagnosis.nextTry')}<TimeText at={status.retryAt} />
            </>
          )}
        </p>
      )}
      {lines.length > 0 && (
        <>
          <h3 className="g-heading">{t('servers.diagnosis.lastLines')}</h3>
          <div className={classes['tail']} tabIndex={0} role="log" aria-label={t('servers.diagnosis.lastLines')}>
            {lines.map((line) => (
              <div key={line.seq}>
                <UntrustedText text={line.text} maxLength={600} />
              </div>
            ))}
          </div>
        </>
      )}
      <div className={classes['actions']} style={{ marginTop: 12 }}>
        {agreeable !== null && (
          <Button variant="filled" loading={busy} onClick={() => void agree(agreeable)}>
            {t(`servers.reach.agree.${agreeable.kind}`, { host: agreeable.host })}
          </Button>
        )}
        {status.code === 'certificate_untrusted' && (
          <Button component="a" href={href.settings('network')}>
            {t('servers.reach.certificates')}
          </Button>
        )}
        <Button variant={agreeable === null ? 'filled' : 'default'} loading={busy} onClick={() => void retry()}>
          {t(status.code === 'secret_store_locked' ? 'servers.diagnosis.unlock' : 'servers.diagnosis.retry')}
        </Button>
        <Button component="a" href={href.configure(server.id)}>
          {t('servers.configure.open')}
        </Button>
        <Button onClick={onLogs}>{t('servers.logs.open')}</Button>
      </div>
      {dialog}
    </section>
  );
}
