import type { CapabilityIndex } from './capability-index.ts';

/** Figures of one server, of what it offers now; `total` and `fingerprints` include what it no longer offers. */
export interface CapabilityCounts {
  readonly total: number;
  readonly tools: number;
  readonly resources: number;
  readonly prompts: number;
  readonly fingerprints: number;
  /** names that the server offers more than once */
  readonly duplicates: number;
  /** admitted, and granted to any principal */
  readonly admitted: number;
  readonly granted: number;
  readonly needsReview: number;
}

export const countCapabilities = (serverId: string, index: CapabilityIndex): CapabilityCounts => {
  const counts = { total: 0, tools: 0, resources: 0, prompts: 0, duplicates: 0, admitted: 0, granted: 0, needsReview: 0 };
  const fingerprints = new Set<string>();
  for (const entry of index.ofServer(serverId)) {
    counts.total += 1;
    fingerprints.add(entry.row.definitionFingerprint);
    if (!entry.row.present) continue;
    counts[`${entry.row.kind}s`] += 1;
    if (entry.row.flags.some((flag) => flag.code === 'duplicate_name')) counts.duplicates += 1;
    const standing = index.standing(entry);
    if (standing.admitted) counts.admitted += 1;
    if (standing.admitted && index.grantedTo(entry).length > 0) counts.granted += 1;
    if (standing.needsReview) counts.needsReview += 1;
  }
  return { ...counts, fingerprints: fingerprints.size };
};

export interface ToolAccess {
  readonly tools: number;
  readonly allowed: number;
  readonly allowable: number;
}

/** How many that a server offers now some principal may use, by their present definition. */
export const countGranted = (serverId: string, index: CapabilityIndex): number => {
  let count = 0;
  for (const entry of index.ofServer(serverId)) if (entry.row.present && index.grantedTo(entry).length > 0) count += 1;
  return count;
};

/** Tools of one server, and what one principal may use of them. */
export const countToolAccess = (serverId: string, principal: string, index: CapabilityIndex): ToolAccess => {
  const counts = { tools: 0, allowed: 0, allowable: 0 };
  for (const entry of index.ofServer(serverId)) {
    if (entry.row.kind !== 'tool') continue;
    counts.tools += 1;
    if (index.isGranted(entry, principal)) counts.allowed += 1;
    else if (entry.stored.schemaState.state !== 'excluded' && index.standing(entry).admitted) counts.allowable += 1;
  }
  return counts;
};
