import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { bridge } from '../../bridge/bridge.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { readAll } from '../../stores/fill-mirrors.ts';
import { useServers } from '../../stores/servers.ts';
import { ServerTable } from './ServerTable.tsx';
import classes from './ServersPage.module.css';

/** Every server with its state in words, what it offers, and the two switches. */
export function ServersPage() {
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
            <ServerTable servers={all} />
          )
        }
      </LoadedView>
    </>
  );
}
