import type { Fault } from '../../shared/fault.ts';
import type { Launch } from '../../shared/server.ts';
import type { ServerRow } from '../store/servers.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import type { RefreshPace } from './refresh-pace.ts';
import type { Session } from './session.ts';

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

const ERA_KEPT_MS = 7 * 24 * 3600 * 1000;

/** The older era was found not long ago, so that the newer one's question is not asked again (S02). */
export const keepsOlderEra = (row: ServerRow, now: number): boolean => row.era === 'legacy' && row.eraAt !== null && now - row.eraAt < ERA_KEPT_MS;
