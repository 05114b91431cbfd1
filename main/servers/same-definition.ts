import { isDeepStrictEqual } from 'node:util';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import type { DiscoveredLists } from './discovered-lists.ts';

/** True when both readings declare this tool, resource, template or prompt, and alike. */
export const sameDefinition = (before: DiscoveredLists | null, after: DiscoveredLists | null, { kind = 'tool', toolName }: { readonly kind?: CapabilityKind | undefined; readonly toolName: string }): boolean => {
  const find = (lists: DiscoveredLists | null) => lists?.definitions.find((d) => d.kind === kind && d.definition.name === toolName)?.definition;
  const old = find(before);
  return old !== undefined && isDeepStrictEqual(old, find(after)) && before?.instructions === after?.instructions;
};
