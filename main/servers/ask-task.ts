import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import type { Launch } from '../../shared/server.ts';
import type { Masker } from '../secrets/mask.ts';
import { answersTo } from './call-in-rounds.ts';
import { callWithRecovery, type OnSession, type Recovery, type RecoveringCall, type RecoveringQuestion } from './call-with-recovery.ts';
import { maskCall, maskOutcome, maskTaskAnswer, maskTaskState } from './mask-call.ts';
import type { CallClock } from './questions/call-clock.ts';
import type { CallMark } from './questions/question-port.ts';
import { taskAnswer, type TaskAnswer } from './task-call.ts';
import type { TaskHandle } from './task-state.ts';
import type { ToolAnswer } from './wire-answer.ts';

interface Launched extends OnSession {
  readonly launch: Launch;
}

/** One call on whatever session stands. A task is asked about at the launch that named it. */
export const callMasked = async <L extends Launched>(recovery: Recovery<L>, call: RecoveringCall, mask: Masker): Promise<ToolAnswer> => {
  const outcome = await callWithRecovery(recovery, maskCall(call, mask));
  if (outcome.kind !== 'task') return maskOutcome(outcome, mask);
  const { state, era, sizeBytes, forget } = outcome;
  return { kind: 'task', state: maskTaskState(state, mask), handle: { taskId: state.taskId, era, launchFingerprint: recovery.ready()?.launch.fingerprint ?? '' }, sizeBytes, forget };
};

/** A question about a task on whatever session stands; one of another launch or era is not told of it. */
export const askTask = async <L extends Launched>(recovery: Recovery<L>, question: RecoveringQuestion, mask: Masker): Promise<TaskAnswer> => {
  const { handle } = question;
  const live = recovery.ready();
  if (live !== null && live.launch.fingerprint !== handle.launchFingerprint) return { kind: 'failed', fault: fault('binding_changed', 'The server is launched in another way than when it began this task, which is not asked about there.') };
  if (live !== null && live.session.era !== handle.era) return { kind: 'unknown', words: 'The server speaks another protocol revision than when it began this task.' };
  const outcome = await callWithRecovery(recovery, maskCall(question, mask));
  if (outcome.kind === 'task') return { kind: 'odd', what: 'a task in the place of a task' };
  return maskTaskAnswer(taskAnswer(question, outcome), mask);
};

/** What a task of the newer era wants to know, by key (extension tasks, `inputRequests`). */
export interface TaskWants {
  readonly handle: TaskHandle;
  readonly requests: Readonly<Record<string, unknown>>;
  readonly mark: CallMark;
  readonly clock: CallClock;
  readonly signal: AbortSignal;
}

/** Asks the person, as a round of the call itself would; what they answered, by key. */
export const answerTask = async <L extends Launched>(recovery: Recovery<L>, { handle, requests, mark, clock, signal }: TaskWants): Promise<Result<Readonly<Record<string, unknown>>, Fault>> => {
  const live = recovery.ready();
  if (live === null || live.launch.fingerprint !== handle.launchFingerprint) return err(fault('not_connected', 'The server is not connected.'));
  const { questions } = live.session;
  const flight = questions.begin(mark, clock);
  const stopped = (): void => flight.end('stopped');
  signal.addEventListener('abort', stopped, { once: true });
  try {
    const answers = await answersTo(live.session, flight, requests, 1);
    // cancelled because the connection is over: the person was not heard, and the task may go on over the next one
    return flight.signal.aborted && flight.signal.reason === 'server_gone' ? err(fault('not_connected', 'The connection ended while the person was asked.')) : answers;
  } finally {
    signal.removeEventListener('abort', stopped);
    questions.end(flight, 'call_ended');
  }
};
