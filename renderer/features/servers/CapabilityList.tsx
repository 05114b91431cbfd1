import { Button, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CAPABILITY_KINDS } from '../../../shared/capability-id.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { TIERS } from '../../../shared/tier.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { act } from '../../stores/act.ts';
import { useCapabilityPages } from '../../stores/use-capability-pages.ts';
import { CapabilityTable } from './CapabilityTable.tsx';
import { capabilityQuery, NO_FILTER, SHOWS, type CapabilityFilter } from './capability-filter.ts';
import classes from './CapabilityList.module.css';
import { emptyClaim } from './server-claims.ts';
import { useAccess } from './use-access.tsx';

/** Every capability of one server, filtered, with Agent Access one by one and for all that the filter shows. */
export function CapabilityList({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<CapabilityFilter>(NO_FILTER);
  const query = useMemo(() => ({ ...capabilityQuery(server.id, filter), order: 'name' as const }), [server.id, filter]);
  const { list, want, retry } = useCapabilityPages(query);
  const setAccess = useAccess();
  const claim = emptyClaim(server);
  const setAll = async (allowed: boolean): Promise<void> => {
    const { order: _order, ...what } = query;
    const moved = await act('access:preview', { ...what, allowed });
    if (moved !== null) await setAccess(moved.capabilityIds, allowed);
  };
  return (
    <LoadedView of={list} what={t('servers.capabilities.loading')} retry={retry}>
      {(rows) => {
        const { of, allowable, allowed } = rows.extra;
        if (of === 0) {
          return (
            <div className="g-panel">
              <StateView kind="empty" title={t(`servers.capabilities.${claim}.title`)} body={t(`servers.capabilities.${claim}.body`)} />
            </div>
          );
        }
        return (
          <section aria-label={t('servers.capabilities.title')} data-guide="capabilities">
            <div className={classes['filters']}>
              <TextInput size="xs" className={classes['text']} placeholder={t('servers.capabilities.filter')} aria-label={t('servers.capabilities.filter')} value={filter.text} onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })} />
              <Select
                size="xs"
                aria-label={t('servers.capabilities.kind')}
                allowDeselect={false}
                value={filter.kind}
                data={[{ value: 'all', label: t('servers.capabilities.anyKind') }, ...CAPABILITY_KINDS.map((kind) => ({ value: kind, label: t(`servers.capabilities.kinds.${kind}`) }))]}
                onChange={(value) => setFilter({ ...filter, kind: CAPABILITY_KINDS.find((kind) => kind === value) ?? 'all' })}
                w={120}
              />
              <Select
                size="xs"
                aria-label={t('servers.capabilities.tier')}
                allowDeselect={false}
                value={filter.tier}
                data={[{ value: 'all', label: t('servers.capabilities.anyTier') }, ...TIERS.map((tier) => ({ value: tier, label: t(`parts.tier.${tier}`) }))]}
                onChange={(value) => setFilter({ ...filter, tier: TIERS.find((tier) => tier === value) ?? 'all' })}
                w={140}
              />
              <Select
                size="xs"
                aria-label={t('servers.capabilities.showing')}
                allowDeselect={false}
                value={filter.show}
                data={SHOWS.map((show) => ({ value: show, label: t(`servers.capabilities.show.${show}`) }))}
                onChange={(value) => setFilter({ ...filter, show: SHOWS.find((show) => show === value) ?? 'all' })}
                w={150}
              />
              <span className={classes['count']} role="status">
                {t('servers.capabilities.count', { count: rows.total, total: of })}
              </span>
              <Button disabled={allowable === 0} onClick={() => void setAll(true)}>
                {t('servers.capabilities.allow', { count: allowable })}
              </Button>
              <Button disabled={allowed === 0} onClick={() => void setAll(false)}>
                {t('servers.capabilities.deny', { count: allowed })}
              </Button>
            </div>
            {rows.total === 0 ? (
              <div className="g-panel">
                <StateView kind="empty" title={t('servers.capabilities.noMatch')} action={<Button onClick={() => setFilter(NO_FILTER)}>{t('servers.capabilities.clear')}</Button>} />
              </div>
            ) : (
              <CapabilityTable rows={rows} want={want} onAccess={(capability, allow) => setAccess([capability.id], allow)} />
            )}
          </section>
        );
      }}
    </LoadedView>
  );
}
