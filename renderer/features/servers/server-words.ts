import type { TFunction } from 'i18next';
import type { ServerDetail, ServerSummary } from '../../../shared/server.ts';

/** How loud a state is: quiet success, going on, waiting for the person, failed. */
export type Loudness = 'quiet' | 'going' | 'awaits' | 'failed' | 'off';

/** A server's state in words. Quarantine and being switched off are said before what the process does. */
export const stateWords = (server: ServerSummary, t: TFunction): { readonly words: string; readonly loudness: Loudness } => {
  if (server.quarantinedAt !== null) return { words: t('servers.state.quarantined'), loudness: 'failed' };
  const { status } = server;
  if (status.state === 'installing') {
    const amount = status.total === undefined || status.done === undefined ? '' : ` ${status.done}/${status.total}`;
    return { words: `${t('servers.state.installing')}${amount}`, loudness: 'going' };
  }
  if (!server.enabled) return { words: t('servers.state.disabled'), loudness: 'off' };
  if (status.state !== 'unavailable') return { words: t(`servers.state.${status.state}`), loudness: status.state === 'ready' ? 'quiet' : status.state === 'installed' ? 'awaits' : 'going' };
  if (status.code === 'consent_required') return { words: t('servers.state.consent'), loudness: 'awaits' };
  if (status.code === 'secret_store_locked') return { words: t('servers.state.locked'), loudness: 'awaits' };
  return { words: t('servers.state.unavailable'), loudness: 'failed' };
};

/** What it is, in one short line: where it comes from. */
export const specWords = (spec: ServerSummary['spec'], t: TFunction): string => {
  switch (spec.kind) {
    case 'unreadable':
      return t('servers.kind.unreadable');
    case 'builtin':
      return t('servers.kind.builtin');
    case 'npm':
      return `npm · ${spec.package}`;
    case 'command':
      return `${t('servers.kind.command')} · ${spec.command}`;
    case 'http':
      return `${t('servers.kind.http')} · ${spec.url}`;
  }
};

/** The first letter or digit of a name, for its tile; marks and hidden characters before it are passed over. */
export const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? '·';

/** Where its code runs and as whom. */
export const whereItRuns = (server: Pick<ServerDetail, 'spec' | 'home'>, t: TFunction): string =>
  server.spec.kind === 'http' ? t('servers.where.remote') : t(server.home === 'own' ? 'servers.where.ownHome' : 'servers.where.userHome');
