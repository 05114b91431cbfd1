import { Button, Menu, Switch } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerDetail } from '../../../shared/server.ts';
import { Hash } from '../../parts/Hash.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { act } from '../../stores/act.ts';
import { QuarantineDialog } from './QuarantineDialog.tsx';
import { lostWords } from './lost-words.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { ServerIcon } from './ServerIcon.tsx';
import { specWords, whereItRuns } from './server-words.ts';
import classes from './ServerPage.module.css';
import { useWanted } from '../../parts/use-wanted.ts';

/** Name, facts of what it is, and what can be done to it as a whole. */
export function ServerHeader({ server, onLogs }: { readonly server: ServerDetail; readonly onLogs: () => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'nothing' | 'quarantine' | 'remove'>('nothing');
  const { installation } = server;
  const [enabled, wantEnabled] = useWanted(server.enabled);
  const toggle = (): void => wantEnabled(!enabled, act(enabled ? 'servers:disable' : 'servers:enable', { serverId: server.id }).then((done) => done !== null));
  return (
    <header className={classes['head']}>
      <div className={classes['who']}>
        <ServerIcon server={server} size="large" />
        <div>
          <h1 className="g-title">
            <UntrustedText text={server.name} />
          </h1>
          <p className={classes['identity']}>
            <UntrustedText text={specWords(server.spec, t)} />
            {installation && (
              <>
                {' · '}
                {installation.version} · <Hash value={installation.integrity} />
                {installation.registry !== undefined && <> · <UntrustedText text={t('servers.installedFrom', { registry: installation.registry })} /></>}
              </>
            )}
            {' · '}
            {whereItRuns(server, t)}
          </p>
        </div>
      </div>
      <div className={classes['actions']}>
        <Switch
          className={classes['enabled']!}
          label={t('servers.enabled')}
          labelPosition="left"
          checked={enabled}
          disabled={server.quarantinedAt !== null || server.status.state === 'installing'}
          onChange={toggle}
        />
        <Button onClick={onLogs}>{t('servers.logs.open')}</Button>
        {server.quarantinedAt === null && (
          <Button color="danger" variant="outline" onClick={() => setAsking('quarantine')}>
            {t('servers.quarantine.open')}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button aria-label={t('servers.more')} px={8}>
              <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
                <circle cx="3" cy="8" r="1.4" />
                <circle cx="8" cy="8" r="1.4" />
                <circle cx="13" cy="8" r="1.4" />
              </svg>
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component="a" href={href.configure(server.id)}>
              {t('servers.configure.open')}
            </Menu.Item>
            {installation?.kind === 'npm' && (
              <Menu.Item component="a" href={href.configure(server.id)}>
                {t('servers.update.open')}
              </Menu.Item>
            )}
            <Menu.Item disabled={server.status.state !== 'ready'} onClick={() => void act('servers:discover', { serverId: server.id })}>
              {t('servers.discoverAgain')}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item c="var(--g-high-write)" onClick={() => setAsking('remove')}>
              {t('servers.remove.open')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {asking === 'quarantine' && <QuarantineDialog server={server} onClose={() => setAsking('nothing')} />}
      {asking === 'remove' && <RemoveDialog serverId={server.id} name={server.name} lost={lostWords(server, t)} onClose={() => setAsking('nothing')} />}
    </header>
  );
}
