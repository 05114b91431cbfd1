import type { CallResult } from '../../shared/call.ts';
import type { OutputOf } from '../../shared/contract/contract.ts';
import type { InvocationRow } from '../store/invocations.ts';
import type { FittedResult } from './result-fit.ts';

/** What the caller of the line gets: state, code, class, and the result within a window's budget. */
export type Outcome = OutputOf<'calls:try'> & {
  /** of a result that a model asked for: made of the whole one */
  readonly fitted?: FittedResult;
};

export const outcomeOf = (row: InvocationRow, result: CallResult | null): Outcome => ({
  invocationId: row.id,
  runId: row.runId,
  state: row.state,
  ...(row.code === null ? {} : { code: row.code }),
  ...(row.class === null ? {} : { class: row.class }),
  ...(result === null ? {} : { result }),
  ...(row.fault === null ? {} : { fault: row.fault }),
  ...(row.approvalId === null ? {} : { approvalId: row.approvalId }),
});

/** Callers who wait for the end of an invocation; an edited call takes its waiters along. */
export class Waiters {
  readonly #waiting = new Map<string, ((outcome: Outcome) => void)[]>();

  wait(invocationId: string): Promise<Outcome> {
    return new Promise((resolve) => this.#waiting.set(invocationId, [...(this.#waiting.get(invocationId) ?? []), resolve]));
  }

  follow(from: string, to: string): void {
    const moved = this.#waiting.get(from);
    if (!moved) return;
    this.#waiting.delete(from);
    this.#waiting.set(to, [...(this.#waiting.get(to) ?? []), ...moved]);
  }

  end(outcome: Outcome): void {
    const waiting = this.#waiting.get(outcome.invocationId) ?? [];
    this.#waiting.delete(outcome.invocationId);
    for (const resolve of waiting) resolve(outcome);
  }
}
