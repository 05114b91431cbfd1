import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { Installation } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { href } from '../../routes.ts';
import { useServers } from '../../stores/servers.ts';
import classes from './Form.module.css';
import { InstallProgress } from './InstallProgress.tsx';

/** The version that is installed, and another in its place. The former one runs until the new one is whole; what then would run is shown and asked for. */
export function UpdateVersion({ serverId, installation }: { readonly serverId: string; readonly installation: Installation }) {
  const { t } = useTranslation();
  const [version, setVersion] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const servers = useServers((state) => state.servers);
  const status = servers.phase === 'ready' ? servers.value.find((one) => one.id === serverId)?.status : undefined;
  const install = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    const answer = await bridge.request('servers:update', { serverId, version: version.trim() });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.code === 'install_cancelled' ? null : answer.error);
    if (location.hash === href.configure(serverId)) location.hash = href.server(serverId);
  };
  return (
    <form className={`g-panel ${classes['form']} ${classes['version']}`} aria-label={t('servers.update.title')} onSubmit={(event) => void install(event)} noValidate>
      <h2 className="g-heading">{t('servers.update.title')}</h2>
      <p>
        {t('servers.update.present', { version: installation.version })} <Hash value={installation.integrity} label={t('servers.launch.integrity')} /> <span className="g-muted"><TimeText at={installation.installedAt} /></span>
      </p>
      <TextInput label={t('servers.update.other')} description={t('servers.update.about')} placeholder={t('servers.form.versionLatest')} value={version} onChange={(event) => setVersion(event.currentTarget.value)} disabled={busy} spellCheck={false} />
      {status?.state === 'installing' && <InstallProgress serverId={serverId} status={status} />}
      {failure && (
        <>
          <p>{t('servers.update.kept', { version: installation.version })}</p>
          <FaultView fault={failure} />
        </>
      )}
      <div className={classes['foot']}>
        <Button type="submit" loading={busy} disabled={version.trim() === '' || status?.state === 'installing'}>
          {t('servers.update.install')}
        </Button>
      </div>
    </form>
  );
}
