import { setTimeout } from 'node:timers/promises';
import type { Fault } from '../../shared/fault.ts';
import type { Launch } from '../../shared/server.ts';
import type { ServerRow } from '../store/servers.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import type { RefreshPace } from './refresh-pace.ts';
import type { ServerLog } from './server-log.ts';
import type { Session } from './session.ts';
import { waitWhile } from './wait-while.ts';

/** A session with what it was started from. */
export interface Live {
  readonly session: Session;
  readonly launch: Launch;
  /** of the configuration it runs with */
  readonly mark: string;
  readonly token: string | null;
  readonly pace: RefreshPace;
  /** monotonic */
  readyAt: number | null;
  lists: DiscoveredLists | null;
  /** why it ended by itself */
  lost: Fault | null;
}

/** Of an endpoint that cannot be reached each call under way is told so by the network itself; a connection that is closed over them says less than that (RC05). */
const HEARD_MS = 250;
const hearsOfItself = async ({ lost, session: { ledger, transport } }: Live): Promise<void> => {
  if (lost !== null && 'sessionId' in transport) await waitWhile(() => ledger.openCount > 0, () => setTimeout(5), HEARD_MS);
};

/** Ends a session whose process or connection is stopped; nothing of it is asked any more. */
export const endLive = async (live: Live, { log, forgetProcess }: { readonly log: ServerLog; readonly forgetProcess: (token: string) => void }): Promise<void> => {
  live.pace.stop();
  live.session.questions.leave();
  await hearsOfItself(live);
  const gone = await live.session.transport.stop();
  if (!gone) log.add('host', 'A part of this server outlived SIGKILL; it is looked for again at the next start.');
  else if (live.token !== null) forgetProcess(live.token);
};

const ERA_KEPT_MS = 7 * 24 * 3600 * 1000;

/** The older era was found not long ago, so that the newer one's question is not asked again (S02). */
export const keepsOlderEra = (row: ServerRow, now: number): boolean => row.era === 'legacy' && row.eraAt !== null && now - row.eraAt < ERA_KEPT_MS;
