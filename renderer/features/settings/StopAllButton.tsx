import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { useHealth } from '../../stores/health.ts';
import css from './Settings.module.css';

/** Stops every call at once, or lets them go on; it asks nothing first, because it is undone by the same button. */
export const StopAllButton = (): ReactElement => {
  const { t } = useTranslation();
  const health = useHealth((s) => s.health);
  const [fault, setFault] = useState<Fault | null>(null);
  const [said, setSaid] = useState('');
  const stopped = health.phase === 'ready' && health.value.stopped;
  const act = async (): Promise<void> => {
    setFault(null);
    if (stopped) {
      const answer = await bridge.request('calls:resume', {});
      if (answer.ok) setSaid(t('settings.resumed'));
      else setFault(answer.error);
      return;
    }
    const answer = await bridge.request('calls:stopAll', {});
    if (answer.ok) setSaid(t('settings.stopped', { count: answer.value.cancelled }));
    else setFault(answer.error);
  };
  return (
    <div className={css['stop']}>
      <Button color={stopped ? 'accent' : 'danger'} variant="outline" onClick={() => void act()}>{t(stopped ? 'settings.resume' : 'settings.stop_all')}</Button>
      <span role="status" className="g-small g-muted">{said}</span>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </div>
  );
};
