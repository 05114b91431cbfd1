import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { Fault } from '../../shared/fault.ts';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { modelNames } from './tool-names.ts';

/** One turn's binding: model-visible name -> the capability and the binding it stood for when the model saw it. */
export interface Exposure {
  readonly tools: readonly LanguageModelV3FunctionTool[];
  readonly bindings: ReadonlyMap<string, { readonly capabilityId: string; readonly bindingFingerprint: string }>;
}

/** Null while what was read of the server stands and is not older than this; else the reading to wait for, and why the server's tools may not be shown after it. */
export type Freshen = (serverId: string, maxAgeMs: number) => Promise<Fault | null> | null;

/** Before a turn, what is older than this is read anew (design section 4). */
const MAX_AGE_MS = 60_000;

/** Reads anew, all at once and each within its limit, the servers that this principal may use; those that could not be read are named and left out of the turn. */
export const unreadServers = async (registry: Pick<CapabilityRegistry, 'list'>, principal: string, freshen: Freshen): Promise<ReadonlySet<string>> => {
  const used = new Set(registry.list().flatMap((c) => (c.kind === 'tool' && c.grantedTo.includes(principal) ? [c.serverId] : [])));
  const read = await Promise.all([...used].map(async (serverId) => ({ serverId, why: await freshen(serverId, MAX_AGE_MS) })));
  return new Set(read.flatMap(({ serverId, why }) => (why === null ? [] : [serverId])));
};

type Schema = LanguageModelV3FunctionTool['inputSchema'];

/** Reads the candidates anew: all of them are exposed, but for servers that could not be read. Descriptions and schemas are the server's, whole; a missing root type means object. */
export const exposeCandidates = (registry: Pick<CapabilityRegistry, 'list' | 'candidate'>, principal: string, unread: ReadonlySet<string>): Exposure => {
  const candidates = registry.list().filter((c) => c.kind === 'tool' && !unread.has(c.serverId)).flatMap((c) => {
    const candidate = registry.candidate(c.id, principal);
    return candidate.ok ? [candidate.value] : [];
  });
  const byId = new Map(candidates.map((c) => [c.capability.id, c]));
  const tools: LanguageModelV3FunctionTool[] = [];
  const bindings = new Map<string, { capabilityId: string; bindingFingerprint: string }>();
  for (const [name, id] of modelNames(candidates.map((c) => c.capability))) {
    const candidate = byId.get(id)!;
    const schema = (typeof candidate.inputSchema === 'object' && candidate.inputSchema !== null ? candidate.inputSchema : {}) as Record<string, unknown>;
    tools.push({ type: 'function', name, ...(candidate.definition.description === undefined ? {} : { description: candidate.definition.description }), inputSchema: { type: 'object', ...schema } as Schema });
    bindings.set(name, { capabilityId: id, bindingFingerprint: candidate.bindingFingerprint });
  }
  return { tools, bindings };
};
