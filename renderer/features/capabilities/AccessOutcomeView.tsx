import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultView } from '../../parts/FaultView.tsx';
import { FunnelReason } from '../../parts/FunnelChart.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './Capabilities.module.css';
import type { AccessOutcome } from './use-access.ts';

/** What a change of Agent Access did, what it left out and why, and the way back. */
export const AccessOutcomeView = ({ outcome, onUndo, onClose }: { readonly outcome: AccessOutcome; readonly onUndo: (ids: readonly string[], allowed: boolean) => void; readonly onClose: () => void }): ReactElement | null => {
  const { t } = useTranslation();
  if (outcome.phase === 'failed') return <FaultView fault={outcome.fault} compact />;
  if (outcome.phase !== 'done') return null;
  return (
    <div className={css['outcome']} role="status">
      <div className={css['outcomeHead']}>
        <span>{t(outcome.allowed ? 'capabilities.access.allowed' : 'capabilities.access.withdrawn', { count: outcome.changed })}{outcome.skipped.length > 0 ? ` ${t('capabilities.access.skipped', { count: outcome.skipped.length })}` : ''}</span>
        <span className={css['outcomeActs']}>
          {outcome.changed > 0 ? <Button onClick={() => onUndo(outcome.ids, !outcome.allowed)}>{t('capabilities.access.undo')}</Button> : null}
          <Button variant="subtle" onClick={onClose}>{t('capabilities.access.dismiss')}</Button>
        </span>
      </div>
      {outcome.skipped.length === 0 ? null : (
        <ul className={css['skipped']}>{outcome.skipped.slice(0, 20).map((s) => <li key={s.capabilityId}><code><UntrustedText text={s.capabilityId} /></code> <FunnelReason reason={s.reason} /></li>)}</ul>
      )}
    </div>
  );
};
