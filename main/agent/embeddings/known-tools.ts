import type { CapabilityRegistry } from '../../capabilities/registry.ts';
import type { Store } from '../../store/database.ts';
import { listServers } from '../../store/servers.ts';
import { ToolSelector, type Choosable } from '../selection/tool-selector.ts';
import type { GateDeps } from './gate.ts';

/** Every tool as it was last declared, with what its server is called. */
export const namedTools = (registry: Pick<CapabilityRegistry, 'toolDefinitions'>, store: Store): readonly Choosable[] => {
  const titles = new Map(store.read(listServers).map(({ id, name }) => [id, name]));
  return registry.toolDefinitions().map((tool) => ({ ...tool, serverTitle: titles.get(tool.serverId) ?? tool.serverId }));
};

/** Ranks by words in an index of its own, for as long as a model is judged. `folder`: assets/selection. */
export const ownIndex = (folder: string): GateDeps['rank'] => {
  const selector = new ToolSelector(folder);
  return (request, pool, count) => selector.rank(request, pool, count);
};
