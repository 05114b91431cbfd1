import type { FourAnswers } from '../../../shared/server.ts';
import type { CapabilityRegistry } from '../../capabilities/registry.ts';
import type { Store } from '../../store/database.ts';
import { countFailedStarts, countOutcomes } from '../../store/outcome-counts.ts';

/** The four questions of design section 1, answered from the store and the registry: never a green tick without its fact. */
export const answerTheFour = (serverId: string, deps: { readonly store: Store; readonly registry: Pick<CapabilityRegistry, 'counts'> }): FourAnswers => {
  const counts = deps.registry.counts(serverId);
  const calls = deps.store.read((db) => countOutcomes(db, serverId));
  const failures = calls.failed + deps.store.read((db) => countFailedStarts(db, serverId));
  return {
    identity:
      counts.total === 0
        ? { answer: 'not_yet', fact: 'identity.nothing_discovered', numbers: {} }
        : counts.duplicates > 0
          ? { answer: 'no', fact: 'identity.duplicates', numbers: { ids: counts.total, fingerprints: counts.fingerprints, duplicates: counts.duplicates } }
          : { answer: 'yes', fact: 'identity.kept', numbers: { ids: counts.total, fingerprints: counts.fingerprints } },
    access:
      counts.total === 0
        ? { answer: 'not_yet', fact: 'access.nothing_to_decide', numbers: {} }
        : { answer: 'yes', fact: 'access.yours', numbers: { granted: counts.granted, admitted: counts.admitted, total: counts.total, changes: counts.accessChanges } },
    line: calls.total === 0 ? { answer: 'not_yet', fact: 'line.no_call_yet', numbers: {} } : { answer: 'yes', fact: 'line.every_call', numbers: { calls: calls.total } },
    failures:
      calls.unknown > 0
        ? { answer: 'no', fact: 'failures.outcome_unknown', numbers: { failures, unknown: calls.unknown, lastUnknownAt: calls.lastUnknownAt ?? 0 } }
        : failures > 0
          ? { answer: 'yes', fact: 'failures.exact', numbers: { failures, unknown: 0 } }
          : { answer: calls.total === 0 ? 'not_yet' : 'yes', fact: 'failures.none', numbers: { failures: 0, unknown: 0 } },
  };
};
