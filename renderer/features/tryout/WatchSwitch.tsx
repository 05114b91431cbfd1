import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceStanding } from '../../../shared/resource.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import css from './TryOutForm.module.css';

/** Whether the server is to tell when this resource changes, and when it last did. Nothing where the server does not offer it. `readAt`: when what is shown here was read. */
export const WatchSwitch = ({ capabilityId, readAt }: { readonly capabilityId: string; readonly readAt: number | null }): ReactElement | null => {
  const { t } = useTranslation();
  const [standing, setStanding] = useState<ResourceStanding | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  useEffect(() => {
    let current = true;
    void bridge.request('resources:get', { capabilityId }).then((answer) => {
      if (current && answer.ok) setStanding(answer.value);
    });
    const end = bridge.on('resource:updated', (news) => {
      if (news.capabilityId === capabilityId) setStanding((before) => (before === null ? before : { ...before, updatedAt: news.updatedAt, updates: news.updates }));
    });
    return () => {
      current = false;
      end();
    };
  }, [capabilityId]);
  if (standing === null || (!standing.offersWatch && !standing.watched)) return null;
  const set = async (watched: boolean): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('resources:watch', { capabilityId, watched });
    setBusy(false);
    setFault(answer.ok ? null : answer.error);
    if (answer.ok) setStanding(answer.value);
  };
  const isOld = readAt !== null && standing.updatedAt !== null && standing.updatedAt >= readAt;
  return (
    <div className={css['watch']}>
      <Switch size="sm" checked={standing.watched} disabled={busy} label={t('tryout.watch')} description={t('tryout.watch_about')} onChange={(event) => void set(event.currentTarget.checked)} />
      <p className="g-small" role="status" data-old={isOld}>
        {standing.updatedAt === null ? null : <>{t('tryout.changed_at', { count: standing.updates })}<TimeText at={standing.updatedAt} />{isOld ? t('tryout.is_old') : null}</>}
      </p>
      {fault === null ? null : <FaultView fault={fault} />}
    </div>
  );
};
