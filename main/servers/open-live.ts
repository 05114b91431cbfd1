import { err, ok, type Result } from '../../shared/result.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Launch } from '../../shared/server.ts';
import type { ServerRow } from '../store/servers.ts';
import type { LateListeners } from './call-on-wire.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Live } from './live-session.ts';
import { maskFault } from './mask-fault.ts';
import { maskSession } from './mask-offer.ts';
import { openSession } from './open-session.ts';
import { configurationMark } from './prepare-launch.ts';
import { RefreshPace, type ToolsRead } from './refresh-pace.ts';
import type { ServerDiagnostics } from './server-diagnostics.ts';
import type { ServerLog } from './server-log.ts';
import { sessionEvents } from './session-events.ts';

/** What a session tells the connection that it belongs to. */
export interface OpenLiveDeps {
  readonly deps: ConnectionDeps;
  readonly log: ServerLog;
  readonly diagnostics: ServerDiagnostics;
  readonly late: LateListeners;
  readonly latestLine: (text: string) => void;
  /** it ended by itself */
  readonly closed: (live: Live, why: Fault) => void;
  /** one reading of what it offers */
  readonly read: (live: Live) => Promise<ToolsRead>;
  /** the newer era's question ended the process, which is started once more */
  readonly probeFailed: () => void;
}

/** One try: the session with what it was started from. Errors: those of openSession, masked. */
export const openLive = async ({ row, launch, mode, signal }: { readonly row: ServerRow; readonly launch: Launch; readonly mode: 'legacy' | 'auto'; readonly signal: AbortSignal }, of: OpenLiveDeps): Promise<Result<Live, Fault>> => {
  const { deps, log } = of;
  const current: { live: Live | null; token: string | null } = { live: null, token: null };
  const mark = configurationMark(launch, deps.reveal);
  const firstSeq = log.ring.nextSeq;
  log.ring.begin();
  const events = sessionEvents({
    ...of,
    listChanged: (kind) => current.live?.pace.notice(kind === 'tools'),
    token: (token) => (current.token = token),
    closed: (why) => current.live !== null && of.closed(current.live, why),
    level: () => current.live?.session.logging.level ?? null,
  });
  const lastLines = (): string[] => log.ring.last(10, 'stderr', firstSeq);
  const { reveal, remember, authorizationFor, agreedKinds } = deps;
  const opened = await openSession({ row, launch, reveal, remember, mode, events, signal, lastLines, authorizationFor, agreedKinds }, { ...deps.open, probeFailed: of.probeFailed });
  if (!opened.ok) return err(maskFault(opened.error, deps.mask));
  const live: Live = { session: maskSession(opened.value, deps.mask), launch, mark, token: current.token, pace: new RefreshPace(() => of.read(live)), readyAt: null, lists: null, lost: null };
  current.live = live;
  return ok(live);
};
