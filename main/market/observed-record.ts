import type { Definition } from '../../shared/capability.ts';
import type { Observed, ObservedTool } from '../../shared/market-observed.ts';

/** What a definition is not the same everywhere by; undefined where nothing was found. */
export type Varies = ObservedTool['varies'];

/** A short text could stand anywhere. */
const LEAST_CHARS = 6;

/** Whether one of these texts (folders of a data folder, names of the machine) stands in a definition. */
export const holdsMachineText = (definition: Definition, texts: readonly string[]): boolean => {
  const written = JSON.stringify(definition);
  return texts.some((text) => text.length >= LEAST_CHARS && written.includes(JSON.stringify(text).slice(1, -1)));
};

/**
 * The tools of a second look, with other settings, that were declared otherwise than in the first. One that only comes or goes is not one that varies: a setting may
 * add tools.
 */
export const movedBetween = (first: readonly Pick<ObservedTool, 'name' | 'definitionFingerprint'>[], second: readonly Pick<ObservedTool, 'name' | 'definitionFingerprint'>[]): ReadonlySet<string> => {
  const later = new Map(second.map((tool) => [tool.name, tool.definitionFingerprint]));
  return new Set(first.filter((tool) => later.has(tool.name) && later.get(tool.name) !== tool.definitionFingerprint).map(({ name }) => name));
};

/** How a new look differs from the record of the same version; what the record marks as of the machine may differ. */
export const recordComplaints = (record: Observed, seen: Pick<Observed, 'version' | 'tools'>): readonly string[] => {
  if (record.version !== seen.version) return [];
  const before = new Map(record.tools.map((tool) => [tool.name, tool]));
  const names = (tools: readonly { readonly name: string }[]): string => tools.map(({ name }) => name).join(', ');
  const fresh = seen.tools.filter((tool) => !before.has(tool.name));
  const gone = record.tools.filter((tool) => !seen.tools.some((one) => one.name === tool.name));
  const moved = seen.tools.filter((tool) => before.has(tool.name) && before.get(tool.name)!.varies !== 'machine' && before.get(tool.name)!.definitionFingerprint !== tool.definitionFingerprint);
  const unmarked = seen.tools.filter((tool) => before.has(tool.name) && tool.varies !== undefined && before.get(tool.name)!.varies !== tool.varies);
  return [
    ...(fresh.length > 0 ? [`not in the record: ${names(fresh)}`] : []),
    ...(gone.length > 0 ? [`in the record and not said: ${names(gone)}`] : []),
    ...(moved.length > 0 ? [`declared otherwise than in the record: ${names(moved)}`] : []),
    ...(unmarked.length > 0 ? [`not the same everywhere, and not marked so: ${names(unmarked)}`] : []),
  ];
};
