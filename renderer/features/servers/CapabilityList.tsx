import { Button, Select, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerDetail } from '../../../shared/server.ts';
import { TIERS } from '../../../shared/tier.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';
import { CapabilityTable } from './CapabilityTable.tsx';
import { filtered, isAllowed, isGrantable, SHOWS, type CapabilityFilter } from './capability-filter.ts';
import classes from './CapabilityList.module.css';
import { emptyClaim } from './server-claims.ts';
import { useAccess } from './use-access.tsx';

/** Every capability of one server, filtered, with Agent Access one by one and for all that the filter shows. */
export function CapabilityList({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const revision = useCapabilities((state) => state.revision);
  const { state: capabilities, reload } = useRequest('capabilities:rows', { serverId: server.id }, revision);
  const setAccess = useAccess();
  const [filter, setFilter] = useState<CapabilityFilter>({ text: '', tier: 'all', show: 'all' });
  const own = useMemo(() => (capabilities.phase === 'ready' ? capabilities.value.rows : []), [capabilities]);
  const shown = useMemo(() => filtered(own, filter), [own, filter]);
  const claim = emptyClaim(server);
  const toAllow = shown.filter((one) => isGrantable(one) && !isAllowed(one)).map((one) => one.id);
  const toDeny = shown.filter(isAllowed).map((one) => one.id);
  return (
    <LoadedView of={capabilities} what={t('servers.capabilities.loading')} retry={reload}>
      {() =>
        own.length === 0 ? (
          <div className="g-panel">
            <StateView kind="empty" title={t(`servers.capabilities.${claim}.title`)} body={t(`servers.capabilities.${claim}.body`)} />
          </div>
        ) : (
          <section aria-label={t('servers.capabilities.title')}>
            <div className={classes['filters']}>
              <TextInput size="xs" className={classes['text']} placeholder={t('servers.capabilities.filter')} aria-label={t('servers.capabilities.filter')} value={filter.text} onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })} />
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
                {t('servers.capabilities.count', { count: shown.length, total: own.length })}
              </span>
              <Button disabled={toAllow.length === 0} onClick={() => void setAccess(toAllow, true)}>
                {t('servers.capabilities.allow', { count: toAllow.length })}
              </Button>
              <Button disabled={toDeny.length === 0} onClick={() => void setAccess(toDeny, false)}>
                {t('servers.capabilities.deny', { count: toDeny.length })}
              </Button>
            </div>
            {shown.length === 0 ? (
              <div className="g-panel">
                <StateView kind="empty" title={t('servers.capabilities.noMatch')} action={<Button onClick={() => setFilter({ text: '', tier: 'all', show: 'all' })}>{t('servers.capabilities.clear')}</Button>} />
              </div>
            ) : (
              <CapabilityTable capabilities={shown} onAccess={(capability, allowed) => setAccess([capability.id], allowed)} />
            )}
          </section>
        )
      }
    </LoadedView>
  );
}
