import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useServers } from '../../stores/servers.ts';
import { InstallProgress } from './InstallProgress.tsx';

/** While a server is being added: the steps as the host tells them. Leaving the page does not stop it. */
export function AddingView({ serverId, name }: { readonly serverId: string; readonly name: string }) {
  const { t } = useTranslation();
  const status = useServers((state) => (state.servers.phase === 'ready' ? state.servers.value.find((one) => one.id === serverId)?.status : undefined));
  return (
    <div className="g-panel">
      <h1 className="g-title">
        {t('servers.install.title')} <UntrustedText text={name} />
      </h1>
      <p className="g-muted">{t('servers.install.leave')}</p>
      <InstallProgress serverId={serverId} status={status?.state === 'installing' ? status : { state: 'installing', step: 'starting' }} />
    </div>
  );
}
