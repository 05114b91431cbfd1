import { fault, type Fault } from '../../shared/fault.ts';
import { ENTRY_CAP_BYTES, ENTRY_STRUCTURE_CAP_BYTES } from './large-entries.ts';
import { isCallMethod } from './wire-request.ts';

/**
 * How an answer that was parsed in a worker reaches the host, by what was asked. `held`: the result of a call stays there and is judged there. `task`: the state crosses, the
 * result in it stays. `list`: in slices. `small`: whole, and only within the bounds of one definition; what answers such a request has no need of more.
 */
export type AnswerTaking = 'held' | 'task' | 'list' | 'small';

const LISTS: ReadonlySet<string> = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);

/** `method`: null where no open request has the id of the answer, which the host then only counts. */
export const takingOf = (method: string | null): AnswerTaking => {
  if (method === null || method === 'tasks/result' || isCallMethod(method)) return 'held';
  if (method === 'tasks/get') return 'task';
  return LISTS.has(method) ? 'list' : 'small';
};

export const tooLargeAnswer = (method: string, sizeBytes: number): Fault =>
  fault('too_large', `The answer to ${method} has ${sizeBytes} bytes; Gantry takes at most ${ENTRY_CAP_BYTES} of one, of these ${ENTRY_STRUCTURE_CAP_BYTES} outside texts.`, { remedy: 'Ask who makes the server.', details: { method, sizeBytes, limitBytes: ENTRY_CAP_BYTES, structureLimitBytes: ENTRY_STRUCTURE_CAP_BYTES } });
