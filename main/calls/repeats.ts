import type { CallResult, ResultClass } from '../../shared/call.ts';
import { FIRST_RESULT_KEPT_MS } from '../../shared/idempotency.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { WINDOW_BUDGET_BYTES } from '../evidence/result-preview.ts';
import { readInvocation } from '../evidence/read-runs.ts';
import { eventPage, toEvent } from '../store/events.ts';
import { copyResult, frozenCallsOfRun, getInvocation } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import type { Store, WriteDb } from '../store/database.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import { fitResult } from './result-fit.ts';
import type { FittedResult, ModelBudget } from './result-fit.ts';
import { duplicateHash, keyOf, type KnownKeys } from './idempotency-key.ts';
import type { Closing } from './ledger.ts';
import type { FrozenCall } from './normalize.ts';
import type { CallRequest } from './plan.ts';

/** Results that say that the write was done, or taken on. */
const DONE: ReadonlySet<ResultClass | null> = new Set<ResultClass | null>(['ok', 'ok_empty', 'stored', 'pending']);

/**
 * What a repeat of a write meets in its run. `none`: nothing that was sent or will be. `open`: the same write waits or runs. `done`: it has a result that answers
 * the repeat. `other`: it was sent, and its end answers nothing: failed, of unknown outcome, too long ago, or of another form of the tool.
 */
export type Earlier = { readonly kind: 'none' } | { readonly kind: 'open' | 'done' | 'other'; readonly row: InvocationRow };

/** Whether equal writes of one run are one: reviewed so, with effects, and with a key in the input. */
export const isIdempotent = ({ planned, value }: FrozenCall): boolean => mayHaveEffects(planned.candidate.tier) && keyOf(planned.candidate, value) !== null;

export interface Answered {
  readonly closing: Closing;
  readonly event: NewEvent;
  readonly rows: (db: WriteDb) => void;
  readonly fitted?: FittedResult;
}

/** Of a large result its preview is told, and that it is one: its parts can be read by the repeat's own id. */
const fittedAgain = (result: CallResult, resultClass: ResultClass, model: ModelBudget): FittedResult => {
  const isPreview = result.sizeBytes > WINDOW_BUDGET_BYTES;
  const fitted = fitResult(result, { ...model, isPreview, isWholeNeeded: resultClass === 'pending' }, result.exactNumbers);
  if (!isPreview) return fitted;
  return { ...fitted, shortened: [{ part: '', shown: fitted.bodyBytes, of: result.sizeBytes, unit: 'characters' }, ...fitted.shortened] };
};

/** A call of a run to one tool. */
interface Written {
  readonly id: string;
  /** null: its input has none */
  readonly key: string | null;
  readonly duplicate: string;
}

/** Tools of runs whose calls are kept in mind. */
const MOST_KNOWN = 64;

/** Looks for the same write in the run of a call: its own rows are the record, so that it is known after a restart as before. */
export class Repeats {
  readonly #store: Store;
  readonly #now: () => number;

  readonly #known = new Map<string, { last: number | null; readonly calls: Written[] }>();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  readonly keys: KnownKeys = {
    // so that a repeat of what may have been done carries the key of the first try
    earlier: ({ request, candidate }, duplicate) => (request.fresh === true ? null : (this.#keyed(request, candidate).findLast((one) => one.duplicate === duplicate && one.key !== null)?.key ?? null)),
    isTaken: ({ request, candidate }, key, duplicate) => this.#keyed(request, candidate).some((one) => one.key === key && one.duplicate !== duplicate),
  };

  /** Of the same write: the last one that was sent or still waits. */
  earlier(runId: string, { planned, frozenInput }: FrozenCall): Earlier {
    const { candidate, request } = planned;
    const field = candidate.capability.idempotency?.field;
    const duplicate = duplicateHash(frozenInput, field);
    const written = this.#written(runId, candidate).filter((one) => one.duplicate === duplicate).toReversed();
    const same = this.#store.read((db) => written.flatMap(({ id }) => getInvocation(db, id) ?? [])).filter((one) => one.startedAt !== null || one.endedAt === null);
    // what another asker got is not told to this one
    const row = same.find((one) => one.principal === request.principal);
    if (row === undefined) return same[0] === undefined ? { kind: 'none' } : { kind: 'other', row: same[0] };
    if (row.endedAt === null) return { kind: 'open', row };
    const stands = row.state === 'completed' && DONE.has(row.class) && row.bindingFingerprint === candidate.bindingFingerprint && this.#now() - row.endedAt < FIRST_RESULT_KEPT_MS;
    return { kind: stands ? 'done' : 'other', row };
  }

  /** How a repeat ends that the first result answers; null where that result cannot be read any more. `model`: what a model that asks is told of it at most. */
  answered(first: InvocationRow, invocationId: string, model: ModelBudget | null): Answered | null {
    const read = readInvocation(this.#store, first.id);
    if (!read.ok || read.value.result === null || first.class === null) return null;
    const judged = this.#store.read((db) => eventPage(db, first.runId, { invocationId: first.id, types: ['call.validated'], offset: 0, limit: 1 })).rows.map(toEvent)[0];
    const { resultSha256, previewSha256 } = judged?.data ?? {};
    if (typeof resultSha256 !== 'string') return null;
    return {
      closing: { state: 'completed', stage: 'evidence', class: first.class, fault: null, grounded: first.grounded, result: read.value.result, texts: null },
      event: { type: 'call.repeated', invocationId, data: { of: first.id, firstAt: first.startedAt ?? first.createdAt, class: first.class, resultSha256, previewSha256 } },
      rows: (db) => copyResult(db, first.id, invocationId),
      ...(model === null ? {} : { fitted: fittedAgain(read.value.result, first.class, model) }),
    };
  }

  /** The run's calls to this tool, oldest first; none where it has no key. */
  #keyed({ runId }: CallRequest, candidate: Candidate): readonly Written[] {
    return candidate.capability.idempotency === undefined ? [] : this.#written(runId, candidate);
  }

  /** Each row is read once: its frozen input never changes. Rows of a run that goes on stay, so that what is new comes after the last that was seen. */
  #written(runId: string, candidate: Candidate): readonly Written[] {
    const { id: capabilityId, idempotency } = candidate.capability;
    const place = JSON.stringify([runId, capabilityId, idempotency ?? null]);
    const known = this.#known.get(place) ?? { last: null, calls: [] };
    this.#known.delete(place);
    this.#known.set(place, known);
    if (this.#known.size > MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
    for (const { id, at, frozenInput } of this.#store.read((db) => frozenCallsOfRun(db, runId, capabilityId, known.last))) {
      known.calls.push({ id, key: keyOf(candidate, JSON.parse(frozenInput)), duplicate: duplicateHash(frozenInput, idempotency?.field) });
      known.last = at;
    }
    return known.calls;
  }
}
