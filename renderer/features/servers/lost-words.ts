import type { TFunction } from 'i18next';
import type { ServerDetail } from '../../../shared/server.ts';

/** What goes with a server that is removed, a sentence each. */
export const lostWords = (server: ServerDetail, t: TFunction): readonly string[] => {
  const secrets = [...Object.values(server.env), ...Object.values(server.headers), ...server.args].filter((value) => typeof value !== 'string' && 'secretRef' in value).length;
  return [
    ...(server.installation ? [t('servers.remove.lostFiles')] : []),
    t('servers.remove.lostConfiguration', { count: secrets }),
    ...(server.grantedCount > 0 ? [t('servers.remove.lostGrants', { count: server.grantedCount })] : []),
    ...(server.signIn?.account?.ended === null ? [t('servers.remove.lostSignIn', { host: server.signIn.account.host })] : []),
    ...(server.home === 'own' && server.spec.kind !== 'http' ? [t('servers.remove.lostHome')] : []),
  ];
};
