import { Button, Menu } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerSummary } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { readAll } from '../../stores/fill-mirrors.ts';
import { useListFilters } from '../../stores/list-filters.ts';
import { useServers } from '../../stores/servers.ts';
import { filterServers, NO_SERVER_FILTER, SERVER_FILTER } from './server-filter.ts';
import { ServerFilters } from './ServerFilters.tsx';
import { ServerTable } from './ServerTable.tsx';
import classes from './ServersPage.module.css';

/** Every server with its state in words, what it offers, and the two switches. */
export function ServersPage({ filters }: { readonly filters: string | undefined }) {
  const { t } = useTranslation();
  const servers = useServers((state) => state.servers);
  return (
    <>
      <div className={classes['head']}>
        <h1 className="g-title">{t('servers.title')}</h1>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button>{t('servers.add.menu')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={href.market()}>
              {t('servers.add.fromMarket')}
            </Menu.Item>
            {(['npm', 'command', 'http'] as const).map((from) => (
              <Menu.Item key={from} component="a" href={href.add(from)}>
                {t(`servers.add.${from}.menu`)}
              </Menu.Item>
            ))}
            <Menu.Item component="a" href={href.import()}>
              {t('servers.add.import')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <LoadedView of={servers} what={t('servers.loading')} rows={6} retry={() => readAll(bridge)}>
        {(all) =>
          all.length === 0 ? (
            <div className="g-panel">
              <StateView
                kind="empty"
                title={t('servers.empty.title')}
                body={t('servers.empty.body')}
                action={
                  <>
                    <Button component="a" href={href.addFromMarket('environment')} variant="filled">
                      {t('servers.empty.first')}
                    </Button>
                    <Button component="a" href={href.market()}>
                      {t('servers.empty.market')}
                    </Button>
                    <Button component="a" href={href.import()}>
                      {t('servers.empty.import')}
                    </Button>
                  </>
                }
              />
            </div>
          ) : (
            <Narrowed servers={all} fromAddress={filters} />
          )
        }
      </LoadedView>
    </>
  );
}

function Narrowed({ servers, fromAddress }: { readonly servers: readonly ServerSummary[]; readonly fromAddress: string | undefined }) {
  const { t } = useTranslation();
  const { filters, change } = useListFilters('servers', fromAddress, SERVER_FILTER);
  const shown = useMemo(() => filterServers(servers, filters), [servers, filters]);
  return (
    <>
      <ServerFilters servers={servers} found={shown.length} filter={filters} change={change} />
      {shown.length === 0 ? (
        <div className="g-panel">
          <StateView
            kind="empty"
            title={t('servers.noMatch.title')}
            body={t('servers.noMatch.body')}
            action={
              <Button variant="filled" onClick={() => change(() => NO_SERVER_FILTER)}>
                {t('servers.filter.clear')}
              </Button>
            }
          />
        </div>
      ) : (
        <ServerTable servers={shown} />
      )}
    </>
  );
}
