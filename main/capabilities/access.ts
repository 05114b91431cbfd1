import type { Clock } from '../clock.ts';
import { USER } from '../../shared/principal.ts';
import type { Store } from '../store/database.ts';
import { changeGrants, type Grant } from '../store/grants.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';

export interface AccessDeps {
  readonly store: Store;
  readonly index: CapabilityIndex;
  readonly clock: Clock;
}
export interface AccessSet {
  readonly changed: number;
  readonly skipped: { readonly capabilityId: string; readonly reason: string }[];
  readonly serverIds: ReadonlySet<string>;
}

/** Writes first, in one transaction with the record of who and when; then the index, so that it holds from this moment. */
const apply = (grants: readonly Grant[], allowed: boolean, by: string, { store, index, clock }: AccessDeps): void => {
  if (grants.length === 0) return;
  store.write((db) => changeGrants(db, grants, { at: clock.now(), allowed, by }));
  for (const grant of grants) index.grant(grant, allowed);
};

/** What a switch can turn on: a tool or a resource, admitted, with a schema that can be used. A prompt is started by a person. */
export const mayBeAllowed = (entry: Entry, index: CapabilityIndex): boolean => entry.row.kind !== 'prompt' && entry.stored.schemaState.state !== 'excluded' && index.standing(entry).admitted;

/**
 * Allows or revokes for one principal. To allow is for the present definition and needs its admission; an offline capability may be allowed. To revoke takes
 * the grants to every definition of the capability, so that none comes back with an older form. What cannot be is skipped, with the reason.
 */
export const setAccess = (entries: readonly Entry[], principal: string, allowed: boolean, by: string, deps: AccessDeps): AccessSet => {
  const { index } = deps;
  const skipped: AccessSet['skipped'] = [];
  const grants: Grant[] = [];
  const touched = new Set<Entry>();
  for (const entry of entries) {
    const capabilityId = entry.row.id;
    if (principal === USER) skipped.push({ capabilityId, reason: 'implicit_grant' });
    else if (!allowed) {
      const held = index.grantsOf(capabilityId).filter((grant) => grant.principal === principal);
      grants.push(...held);
      if (held.length > 0) touched.add(entry);
    } else if (entry.row.kind === 'prompt') skipped.push({ capabilityId, reason: 'prompt_by_person' });
    else if (entry.stored.schemaState.state === 'excluded') skipped.push({ capabilityId, reason: 'schema_excluded' });
    else if (!index.standing(entry).admitted) skipped.push({ capabilityId, reason: index.standing(entry).needsReview ? 'needs_review' : 'not_admitted' });
    else if (!index.isGranted(entry, principal)) {
      grants.push({ principal, capabilityId, definitionFingerprint: entry.row.definitionFingerprint });
      touched.add(entry);
    }
  }
  apply(grants, allowed, by, deps);
  return { changed: touched.size, skipped, serverIds: new Set([...touched].map((entry) => entry.row.serverId)) };
};

/** Grants of one transaction: more of them would hold the host's thread. */
export const ENTRIES_AT_ONCE = 400;

/**
 * The same for any number, in slices with other work between them. Each slice is judged by what stands at its time, is whole, on record and in force; `isRevoked`
 * tells of a server whose grants were all taken meanwhile: what comes later gives none back. Rejects with what the store throws; `done` is then what was moved until there.
 */
export const setAccessInSlices = async (entries: readonly Entry[], principal: string, allowed: boolean, by: string, deps: AccessDeps, isRevoked: (serverId: string) => boolean, done: { changed: number; readonly serverIds: Set<string> }): Promise<AccessSet> => {
  const skipped: AccessSet['skipped'] = [];
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    if (from > 0) await new Promise((resume) => setImmediate(resume));
    const slice = entries.slice(from, from + ENTRIES_AT_ONCE).flatMap((entry) => {
      // what was read anew meanwhile is judged as it is now; what is gone has nothing to give
      const present = deps.index.get(entry.row.id);
      const left = allowed && isRevoked(entry.row.serverId);
      if (present !== undefined && !left) return [present];
      skipped.push({ capabilityId: entry.row.id, reason: left ? 'quarantined' : 'unknown_capability' });
      return [];
    });
    const set = setAccess(slice, principal, allowed, by, deps);
    done.changed += set.changed;
    for (const serverId of set.serverIds) done.serverIds.add(serverId);
    skipped.push(...set.skipped);
  }
  return { changed: done.changed, skipped, serverIds: done.serverIds };
};

/** Takes every grant of every principal to these capabilities; the number of grants taken. */
export const revokeGrants = (entries: Iterable<Entry>, by: string, deps: AccessDeps): number => {
  const grants = [...entries].flatMap((entry) => deps.index.grantsOf(entry.row.id));
  apply(grants, false, by, deps);
  return grants.length;
};
