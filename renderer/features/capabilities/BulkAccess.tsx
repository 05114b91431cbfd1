import { Button, Popover } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessPreview } from '../../../shared/capability-list.ts';
import { TIERS } from '../../../shared/tier.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { act } from '../../stores/act.ts';
import type { CapabilityFigures } from '../../stores/use-capability-pages.ts';
import { capabilityQuery, type CapabilityFilter } from './capability-filter.ts';
import css from './Capabilities.module.css';

interface BulkAccessProps {
  readonly filter: CapabilityFilter;
  readonly shown: number;
  readonly figures: CapabilityFigures;
  readonly busy: boolean;
  readonly onSet: (ids: readonly string[], allowed: boolean) => void;
}

/** Allows or withdraws everything that the filter lets through; before allowing, the host says how many of which tier that is, and just these are then asked for. */
export const BulkAccess = ({ filter, shown, figures, busy, onSet }: BulkAccessProps): ReactElement => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<AccessPreview | null>(null);
  const preview = (allowed: boolean): Promise<AccessPreview | null> => act('access:preview', { ...capabilityQuery(filter), allowed });
  const withdraw = async (): Promise<void> => {
    const moved = await preview(false);
    if (moved !== null) onSet(moved.capabilityIds, false);
  };
  return (
    <div className={css['bulk']}>
      <span className="g-small g-muted" role="status">{t('capabilities.shown', { shown, count: figures.of })}</span>
      <span className={css['bulkActs']}>
        <Popover opened={asking !== null} onChange={(open) => { if (!open) setAsking(null); }} position="bottom-end" trapFocus withRoles withinPortal={false}>
          <Popover.Target><Button disabled={figures.allowable === 0 || busy} onClick={() => void (asking === null ? preview(true).then(setAsking) : setAsking(null))}>{t('capabilities.bulk.allow', { count: figures.allowable })}</Button></Popover.Target>
          <Popover.Dropdown className={css['ask']!}>
            {asking === null ? null : (
              <>
                <p>{t('capabilities.bulk.means', { count: asking.capabilityIds.length })}</p>
                <ul>{TIERS.filter((tier) => asking.byTier[tier] > 0).map((tier) => <li key={tier}><span>{asking.byTier[tier]}</span> <TierBadge tier={tier} /></li>)}</ul>
                {asking.leftOut > 0 ? <p className="g-small g-muted">{t('capabilities.bulk.left_out', { count: asking.leftOut })}</p> : null}
                <div className={css['askActs']}>
                  <Button onClick={() => setAsking(null)}>{t('capabilities.bulk.cancel')}</Button>
                  <Button color="accent" variant="outline" onClick={() => { setAsking(null); onSet(asking.capabilityIds, true); }}>{t('capabilities.bulk.do_allow', { count: asking.capabilityIds.length })}</Button>
                </div>
              </>
            )}
          </Popover.Dropdown>
        </Popover>
        <Button disabled={figures.allowed === 0 || busy} onClick={() => void withdraw()}>{t('capabilities.bulk.withdraw', { count: figures.allowed })}</Button>
      </span>
    </div>
  );
};
