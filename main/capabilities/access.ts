import type { Clock } from '../clock.ts';
import { USER } from '../../shared/principal.ts';
import type { Store } from '../store/database.ts';
import { changeGrant, type AccessChange, type Grant } from '../store/grants.ts';
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
  const changes: readonly AccessChange[] = grants.map((grant) => ({ ...grant, at: clock.now(), allowed, by }));
  store.write((db) => changes.forEach((change) => changeGrant(db, change)));
  for (const change of changes) index.grant(change, allowed);
};

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
    } else if (entry.stored.schemaState.state === 'excluded') skipped.push({ capabilityId, reason: 'schema_excluded' });
    else if (!index.standing(entry).admitted) skipped.push({ capabilityId, reason: index.standing(entry).needsReview ? 'needs_review' : 'not_admitted' });
    else if (!index.isGranted(entry, principal)) {
      grants.push({ principal, capabilityId, definitionFingerprint: entry.row.definitionFingerprint });
      touched.add(entry);
    }
  }
  apply(grants, allowed, by, deps);
  return { changed: touched.size, skipped, serverIds: new Set([...touched].map((entry) => entry.row.serverId)) };
};

/** Takes every grant of every principal to these capabilities; the number of grants taken. */
export const revokeGrants = (entries: Iterable<Entry>, by: string, deps: AccessDeps): number => {
  const grants = [...entries].flatMap((entry) => deps.index.grantsOf(entry.row.id));
  apply(grants, false, by, deps);
  return grants.length;
};
