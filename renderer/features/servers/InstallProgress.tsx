import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerState } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import classes from './InstallProgress.module.css';

type Installing = Extract<ServerState, { readonly state: 'installing' }>;

/** The present step in words, its amount where it is known, and a way to stop. */
export function InstallProgress({ serverId, status }: { readonly serverId: string; readonly status: Installing }) {
  const { t, i18n } = useTranslation();
  const [stopping, setStopping] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const known = status.total !== undefined && status.done !== undefined && status.total > 0;
  const share = known ? Math.min(100, (100 * status.done!) / status.total!) : 100;
  const key = `servers.install.step.${status.step}`;
  const stop = async (): Promise<void> => {
    setStopping(true);
    const answer = await bridge.request('servers:cancelInstall', { serverId });
    if (!answer.ok) {
      setStopping(false);
      setFailure(answer.error);
    }
  };
  return (
    <div className={classes['progress']}>
      <div className={classes['words']} role="status">
        <span>{i18n.exists(key) ? t(key) : status.step}</span>
        <span className="g-muted">{known ? t('servers.install.amount', { done: status.done, total: status.total }) : ''}</span>
      </div>
      <Progress value={share} animated={!known} striped={!known} size={6} aria-label={t('servers.install.title')} />
      <Button onClick={() => void stop()} loading={stopping}>
        {t('servers.install.stop')}
      </Button>
      {failure && <FaultView fault={failure} compact />}
    </div>
  );
}
