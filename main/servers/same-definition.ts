import { isDeepStrictEqual } from 'node:util';
import type { DiscoveredLists } from './discovered-lists.ts';

/** True when both readings declare this tool, and alike. */
export const sameDefinition = (before: DiscoveredLists | null, after: DiscoveredLists | null, toolName: string): boolean => {
  const find = (lists: DiscoveredLists | null) => lists?.definitions.find((d) => d.kind === 'tool' && d.definition.name === toolName)?.definition;
  const old = find(before);
  return old !== undefined && isDeepStrictEqual(old, find(after)) && before?.instructions === after?.instructions;
};
