import { fault, type Fault } from '../../../shared/fault.ts';
import type { ServerSummary } from '../../../shared/server.ts';
import type { Store } from '../../store/database.ts';
import { readUnreadableServer, type UnreadableServer } from '../../store/unreadable-servers.ts';

/** Names the columns, never what stands in them: it may be a secret that somebody typed there. */
const unreadableFault = ({ id, columns }: UnreadableServer): Fault =>
  fault('row_unreadable', `The stored configuration of ${id} cannot be read (${columns.join(', ')}): it was changed by hand, or written by a newer Gantry.`, {
    field: '/serverId',
    remedy: 'Remove the server and add it again, or open this data folder with the Gantry that wrote it.',
    details: { serverId: id, columns },
  });

/** Why a server cannot be worked with that has no row to read: `row_unreadable` where there is one all the same, else `not_found`. */
export const absentServer = (store: Store, serverId: string): Fault => {
  const row = store.read((db) => readUnreadableServer(db, serverId));
  return row === null ? fault('not_found', `there is no server ${serverId}`, { field: '/serverId', remedy: 'List the servers for the present ids.' }) : unreadableFault(row);
};

/** How such a row is listed: it says why, and can be removed. */
export const unreadableSummary = (row: UnreadableServer): ServerSummary => {
  const why = unreadableFault(row);
  return {
    id: row.id,
    name: row.name,
    spec: { kind: 'unreadable' },
    enabled: row.enabled,
    required: row.required,
    quarantinedAt: row.quarantinedAt,
    status: { state: 'unavailable', since: row.createdAt, code: why.code, fault: why },
    state: 'unavailable',
    code: why.code,
    toolCount: null,
    grantedCount: 0,
    agentAccess: { tools: 0, allowed: 0, allowable: 0 },
    createdAt: row.createdAt,
  };
};
