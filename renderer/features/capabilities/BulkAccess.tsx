import { Button, Popover } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import { TIERS } from '../../../shared/tier.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { bulkChange } from './capability-filter.ts';
import css from './Capabilities.module.css';

/** Allows or withdraws everything that the filter shows; before allowing it says how many of which tier that is. */
export const BulkAccess = ({ shown, of, busy, onSet }: { readonly shown: readonly CapabilityRow[]; readonly of: number; readonly busy: boolean; readonly onSet: (ids: readonly string[], allowed: boolean) => void }): ReactElement => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const allow = useMemo(() => bulkChange(shown, true), [shown]);
  const withdraw = useMemo(() => bulkChange(shown, false), [shown]);
  return (
    <div className={css['bulk']}>
      <span className="g-small g-muted" role="status">{t('capabilities.shown', { shown: shown.length, count: of })}</span>
      <span className={css['bulkActs']}>
        <Popover opened={asking} onChange={setAsking} position="bottom-end" trapFocus withRoles withinPortal={false}>
          <Popover.Target><Button disabled={allow.ids.length === 0 || busy} onClick={() => setAsking(!asking)}>{t('capabilities.bulk.allow', { count: allow.ids.length })}</Button></Popover.Target>
          <Popover.Dropdown className={css['ask']!}>
            <p>{t('capabilities.bulk.means', { count: allow.ids.length })}</p>
            <ul>{TIERS.filter((tier) => allow.byTier[tier] > 0).map((tier) => <li key={tier}><span>{allow.byTier[tier]}</span> <TierBadge tier={tier} /></li>)}</ul>
            {allow.leftOut > 0 ? <p className="g-small g-muted">{t('capabilities.bulk.left_out', { count: allow.leftOut })}</p> : null}
            <div className={css['askActs']}>
              <Button onClick={() => setAsking(false)}>{t('capabilities.bulk.cancel')}</Button>
              <Button color="accent" variant="outline" onClick={() => { setAsking(false); onSet(allow.ids, true); }}>{t('capabilities.bulk.do_allow', { count: allow.ids.length })}</Button>
            </div>
          </Popover.Dropdown>
        </Popover>
        <Button disabled={withdraw.ids.length === 0 || busy} onClick={() => onSet(withdraw.ids, false)}>{t('capabilities.bulk.withdraw', { count: withdraw.ids.length })}</Button>
      </span>
    </div>
  );
};
