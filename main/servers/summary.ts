import type { CircuitState, ServerState, ServerSummary } from '../../shared/server.ts';
import type { ReadDb } from '../store/database.ts';
import { readDiscovery } from '../store/discoveries.ts';
import { readServerIconHash } from '../store/server-icons.ts';
import type { ServerRow } from '../store/servers.ts';

/** A server as the list shows it. `toolCount` is null while nothing was read: a failure is never zero. */
export const summarize = (db: ReadDb, row: ServerRow, { status, circuit }: { readonly status: ServerState; readonly circuit: CircuitState }, access: Pick<ServerSummary, 'agentAccess' | 'grantedCount'>): ServerSummary => {
  const tools = readDiscovery(db, row.id)?.tools;
  const icon = readServerIconHash(db, row.id);
  return {
    id: row.id,
    name: row.name,
    spec: row.spec,
    enabled: row.enabled,
    required: row.required,
    quarantinedAt: row.quarantinedAt,
    status,
    state: status.state,
    ...(status.state === 'unavailable' ? { code: status.code } : {}),
    toolCount: tools === undefined || tools.outcome === 'failed' ? null : tools.outcome === 'read' ? tools.count : 0,
    ...access,
    ...(circuit.state === 'closed' ? {} : { circuitState: circuit.state }),
    ...(icon === null ? {} : { icon }),
    ...(row.marketEntryId === null ? {} : { marketEntryId: row.marketEntryId }),
    createdAt: row.createdAt,
  };
};
