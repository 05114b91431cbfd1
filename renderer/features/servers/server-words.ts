import type { TFunction } from 'i18next';
import type { ServerDetail, ServerState, ServerSummary } from '../../../shared/server.ts';
import { isLoopbackUrl } from './server-claims.ts';

/** How loud a state is: quiet success, going on, waiting for the person, failed. */
export type Loudness = 'quiet' | 'going' | 'awaits' | 'failed' | 'off';

export type StateKey = ServerState['state'] | 'consent' | 'locked' | 'signIn' | 'disabled' | 'quarantined';

const WANTS_SIGN_IN: ReadonlySet<string> = new Set(['sign_in_required', 'scope_missing', 'sign_in_unsafe']);

/** Which word says a server's state. Quarantine and being switched off are said before what the process does. */
export const stateKey = ({ quarantinedAt, enabled, status }: Pick<ServerSummary, 'quarantinedAt' | 'enabled' | 'status'>): StateKey => {
  if (quarantinedAt !== null) return 'quarantined';
  if (status.state === 'installing') return 'installing';
  if (!enabled) return 'disabled';
  if (status.state !== 'unavailable') return status.state;
  return status.code === 'consent_required' ? 'consent' : status.code === 'secret_store_locked' ? 'locked' : WANTS_SIGN_IN.has(status.code) ? 'signIn' : 'unavailable';
};

const LOUDNESS: Readonly<Record<StateKey, Loudness>> = {
  ready: 'quiet', installing: 'going', connecting: 'going', discovering: 'going', stopping: 'going', installed: 'awaits', consent: 'awaits', locked: 'awaits', signIn: 'awaits', disabled: 'off', quarantined: 'failed', unavailable: 'failed',
};

/** A server's state in words, with how far an installation is. */
export const stateWords = (server: ServerSummary, t: TFunction): { readonly words: string; readonly loudness: Loudness } => {
  const key = stateKey(server);
  const { status } = server;
  const amount = key !== 'installing' || status.state !== 'installing' || status.total === undefined || status.done === undefined ? '' : ` ${status.done}/${status.total}`;
  return { words: `${t(`servers.state.${key}`)}${amount}`, loudness: LOUDNESS[key] };
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
      return `${t(isLoopbackUrl(spec.url) ? 'servers.kind.httpHere' : 'servers.kind.http')} · ${spec.url}`;
  }
};

/** The first letter or digit of a name, for its tile; marks and hidden characters before it are passed over. */
export const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? '·';

/** Where its code runs and as whom. */
export const whereItRuns = (server: Pick<ServerDetail, 'spec' | 'home'>, t: TFunction): string =>
  server.spec.kind === 'http' ? t(isLoopbackUrl(server.spec.url) ? 'servers.where.loopback' : 'servers.where.remote') : t(server.home === 'own' ? 'servers.where.ownHome' : 'servers.where.userHome');
