import type { RecoveringCall, RecoveringQuestion } from './call-with-recovery.ts';
import { maskDeep, maskFault } from './mask-fault.ts';
import type { TaskAnswer } from './task-call.ts';
import type { TaskState } from './task-state.ts';
import type { WireOutcome, WireProgress } from './wire-outcome.ts';

type Mask = (text: string) => string;

/** Characters of the words of a progress report that are kept, after masking. */
const PROGRESS_CAP = 500;

/** An error or a failure without known secret values, whole words first: whoever cuts them later cuts no secret in two. A result is left as it came; the privacy filter of evidence takes it whole. */
export const maskOutcome = (outcome: WireOutcome, mask: Mask): WireOutcome => {
  if (outcome.kind === 'result' || outcome.kind === 'held') return outcome;
  if (outcome.kind === 'failed') return { ...outcome, fault: maskFault(outcome.fault, mask) };
  return { ...outcome, message: mask(outcome.message), ...(outcome.data === undefined ? {} : { data: maskDeep(outcome.data, mask) }) };
};

const maskProgress = (progress: WireProgress, mask: Mask): WireProgress =>
  progress.message === undefined ? progress : { ...progress, message: mask(progress.message).slice(0, PROGRESS_CAP).toWellFormed() };

/** The call, whose reports and late answer come masked. */
export const maskCall = <C extends RecoveringCall | RecoveringQuestion>(call: C, mask: Mask): C => {
  const { onProgress, onLate } = call;
  return {
    ...call,
    ...(onProgress === undefined ? {} : { onProgress: (progress: WireProgress) => onProgress(maskProgress(progress, mask)) }),
    ...(onLate === undefined ? {} : { onLate: (late: WireOutcome) => onLate(maskOutcome(late, mask)) }),
  };
};

/** What a server says of a task. Its id and its result stay: the one is sent back, the other is judged and masked as a whole. */
export const maskTaskState = (state: TaskState, mask: Mask): TaskState => (state.words === undefined ? state : { ...state, words: mask(state.words) });

export const maskTaskAnswer = (answer: TaskAnswer, mask: Mask): TaskAnswer => {
  switch (answer.kind) {
    case 'state':
      return { ...answer, state: maskTaskState(answer.state, mask), ...(answer.settled === undefined ? {} : { settled: maskOutcome(answer.settled, mask) }) };
    case 'outcome':
      return { ...answer, outcome: maskOutcome(answer.outcome, mask) };
    case 'unknown':
    case 'refused':
      return { ...answer, words: mask(answer.words) };
    case 'failed':
      return { ...answer, fault: maskFault(answer.fault, mask) };
    default:
      return answer;
  }
};
