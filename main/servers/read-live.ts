import type { Fault } from '../../shared/fault.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Live } from './live-session.ts';
import { readLists, unauthorizedReading } from './read-lists.ts';
import type { ToolsRead } from './refresh-pace.ts';

/** One reading of what a live session offers; every failure is a fact, none is zero. `stands`: the session is still the one that counts. `unauthorized`: its list of tools wants a sign-in. */
export const readLive = async (serverId: string, live: Live, { deps, stands, unauthorized }: { readonly deps: ConnectionDeps; readonly stands: () => boolean; readonly unauthorized: (why: Fault) => void }): Promise<ToolsRead> => {
  const lists = await readLists(live.session, { serverId, launchFingerprint: live.launch.fingerprint, at: deps.clock.now(), mask: deps.mask });
  if (!stands()) return { ok: false };
  const { tools, resources, resourceTemplates, prompts } = lists.fact;
  deps.saveDiscovery(lists);
  deps.addFact({ step: 'discovered', ok: [tools, resources, resourceTemplates, prompts].every((r) => r.outcome !== 'failed'), data: { tools, resources, resourceTemplates, prompts } });
  await deps.onDiscovered(lists);
  live.lists = lists;
  unauthorizedReading(lists.fact, unauthorized);
  deps.changed();
  return { ok: tools.outcome !== 'failed', ttlMs: lists.toolsTtlMs, found: lists.definitions };
};
