import { fault, type Fault } from '../../shared/fault.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import { readJson } from '../calls/read-json.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';

/** So often the same call may meet the same failure. */
const MOST_SAME = 3;

/** The input without what makes no difference to a tool: blanks, and the order of names. What cannot be carried exactly is compared as it was written. */
const sameInput = (text: string): string => {
  const read = readJson(text);
  return read.ok ? canonicalText(read.value) : text.trim();
};

/** Sees a model go round in circles: the same capability, the same input, the same failure. */
export class LoopWatch {
  readonly #seen = new Map<string, number>();

  /** After each call; the fault `repeated_failure` at the third of the same. */
  heard(call: { readonly capabilityId: string; readonly argumentsText: string }, outcome: Outcome): Fault | null {
    if (outcome.state !== 'failed') return null;
    const code = outcome.code ?? 'failed';
    const key = sha256(JSON.stringify([call.capabilityId, sameInput(call.argumentsText), code]));
    const times = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, times);
    return times < MOST_SAME ? null : fault('repeated_failure', `The same call met the same failure ${times} times.`, { details: { capabilityId: call.capabilityId, code, times } });
  }
}
