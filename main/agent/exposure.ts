import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider';
import type { CapabilityRegistry } from '../capabilities/registry.ts';
import { modelNames } from './tool-names.ts';

/** One turn's binding: model-visible name -> the capability and the binding it stood for when the model saw it. */
export interface Exposure {
  readonly tools: readonly LanguageModelV3FunctionTool[];
  readonly bindings: ReadonlyMap<string, { readonly capabilityId: string; readonly bindingFingerprint: string }>;
}

type Schema = LanguageModelV3FunctionTool['inputSchema'];

/** Reads the candidates anew: all of them are exposed. Descriptions and schemas are the server's, whole; a missing root type means object. */
export const exposeCandidates = (registry: Pick<CapabilityRegistry, 'list' | 'candidate'>, principal: string): Exposure => {
  const candidates = registry.list().filter((c) => c.kind === 'tool').flatMap((c) => {
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
