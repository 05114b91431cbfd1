import type { Fault } from '../../shared/fault.ts';
import { isObject } from '../../shared/is-object.ts';
import { fault } from '../../shared/fault.ts';
import type { WireRequest } from './call-on-wire.ts';
import type { Session } from './session.ts';
import { readTaskState, type TaskHandle, type TaskState } from './task-state.ts';
import { below } from './source-numbers.ts';
import type { WireOutcome } from './wire-outcome.ts';

/** How long a server is asked to keep a task of the older era; it may decide otherwise (2025-11-25, tasks). */
export const WANTED_TTL_MS = 24 * 3_600_000;

/** The extension of the newer era. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** With each call, and each question about a task, of the newer era: what is offered in any case, and tasks. */
export const tasksDeclared = ({ era, questions }: Session): Readonly<Record<string, unknown>> => (era === 'modern' ? { [CAPABILITIES]: { ...questions.offered, extensions: { [TASKS_EXTENSION]: {} } } } : {});

export type TaskSupport = 'optional' | 'required';

/** A call that the server answered with a task. `forget`: its progress is heard no more. */
export interface TaskAccepted {
  readonly kind: 'task';
  readonly state: TaskState;
  readonly era: 'legacy' | 'modern';
  readonly sizeBytes: number;
  readonly forget: () => void;
}

export type TaskAsk = { readonly what: 'get' | 'result' | 'cancel' } | { readonly what: 'update'; readonly inputResponses: Readonly<Record<string, unknown>> };

/** One question about a task. Asking again is safe: none of them begins the work anew. */
export interface TaskQuestion extends WireRequest {
  readonly handle: TaskHandle;
  readonly ask: TaskAsk;
}

/**
 * What came of one question. `state`: how the task stands, and `settled` its outcome where that came along (newer era). `outcome`: the result of the call itself
 * (tasks/result). `unknown`: the server does not know the task (-32602). `failed`: no answer.
 */
export type TaskAnswer =
  | { readonly kind: 'state'; readonly state: TaskState; readonly settled?: WireOutcome }
  | { readonly kind: 'outcome'; readonly outcome: WireOutcome }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'unknown'; readonly words: string }
  | { readonly kind: 'odd'; readonly what: string }
  | { readonly kind: 'refused'; readonly rpcCode: number; readonly words: string }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Where a tool of the older era takes part in tasks (its `execution.taskSupport`, as last read); anything else is `forbidden`. */
export const taskSupportOf = (entry: unknown): TaskSupport | null => {
  const execution = isObject(entry) ? entry['execution'] : undefined;
  const said = isObject(execution) ? execution['taskSupport'] : undefined;
  return said === 'optional' || said === 'required' ? said : null;
};

const declaresTasks = ({ capabilities }: Session): boolean => {
  const tasks = capabilities['tasks'];
  const requests = isObject(tasks) ? tasks['requests'] : undefined;
  const tools = isObject(requests) ? requests['tools'] : undefined;
  return isObject(tools) && isObject(tools['call']);
};

/**
 * Whether a call is sent as a task: in the older era the caller decides, within what server and tool declare; in the newer one the server does.
 * `prefersTask`: its review says that it submits a job.
 */
export const asTask = (session: Session, toolName: string, prefersTask: boolean): boolean => {
  if (session.era !== 'legacy' || !declaresTasks(session)) return false;
  const support = session.taskTools.get(toolName);
  return support === 'required' || (support === 'optional' && prefersTask);
};

/** A task in the place of a result. Null: none; else its state, or what is wrong with it. `augmented`: the call asked for one (older era). */
export const acceptedTask = (era: 'legacy' | 'modern', raw: unknown, augmented: boolean): ReturnType<typeof readTaskState> | null => {
  if (!isObject(raw)) return null;
  if (era === 'modern') return raw['resultType'] === 'task' ? readTaskState(raw) : null;
  return augmented && Object.hasOwn(raw, 'task') && !Object.hasOwn(raw, 'content') ? readTaskState(raw['task']) : null;
};

const INVALID_PARAMS = -32602;

/** Reads what a question came to. `outcome`: as the wire brought it. */
export const taskAnswer = ({ handle, ask }: Pick<TaskQuestion, 'handle' | 'ask'>, outcome: WireOutcome): TaskAnswer => {
  if (outcome.kind === 'failed') return { kind: 'failed', fault: outcome.fault };
  if (ask.what === 'result') return { kind: 'outcome', outcome };
  if (outcome.kind === 'rpc_error') return outcome.rpcCode === INVALID_PARAMS ? { kind: 'unknown', words: outcome.message } : { kind: 'refused', rpcCode: outcome.rpcCode, words: outcome.message };
  // a large answer that brings the result: the result is judged where it lies
  const answer = stateIn(outcome.kind === 'held' ? outcome.taskState : outcome.raw, outcome, { handle, ask });
  if (outcome.kind === 'held' && (answer.kind !== 'state' || answer.settled?.kind !== 'held')) outcome.held.release();
  return answer;
};

type Brought = Extract<WireOutcome, { kind: 'result' | 'held' }>;

const stateIn = (raw: unknown, outcome: Brought, { handle, ask }: Pick<TaskQuestion, 'handle' | 'ask'>): TaskAnswer => {
  if (ask.what === 'update' || (ask.what === 'cancel' && handle.era === 'modern')) return { kind: 'acknowledged' };
  const read = readTaskState(raw);
  if (!read.ok) return ask.what === 'cancel' ? { kind: 'acknowledged' } : { kind: 'odd', what: read.error };
  const state = read.value;
  if (state.taskId !== handle.taskId) return { kind: 'odd', what: 'the state of another task' };
  if (handle.era === 'legacy') return { kind: 'state', state };
  return { kind: 'state', state, ...settledIn(state, outcome) };
};

const settledIn = (state: TaskState, outcome: Brought): { readonly settled?: WireOutcome } => {
  const { sizeBytes, notes } = outcome;
  if (state.status === 'failed' && state.error !== undefined) return { settled: { kind: 'rpc_error', rpcCode: state.error.code, message: state.error.message, ...(state.error.data === undefined ? {} : { data: state.error.data }) } };
  if (state.status !== 'completed') return {};
  if (outcome.kind === 'held') return { settled: { kind: 'held', held: outcome.held, sizeBytes, ...(notes === undefined ? {} : { notes }) } };
  const { exact } = outcome;
  return { settled: { kind: 'result', raw: state.result ?? null, sizeBytes, ...(notes === undefined ? {} : { notes }), ...(exact === undefined ? {} : { exact: below(exact, '/result') }) } };
};

export const strangeTask = (what: string): Fault => fault('protocol_error', `The server answered with ${what}.`);
