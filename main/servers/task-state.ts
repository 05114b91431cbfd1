import { isObject } from '../../shared/is-object.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** Statuses of a task, the same in both eras (2025-11-25 tasks; extension io.modelcontextprotocol/tasks). */
const TASK_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What a server says of one of its tasks. Its words are untrusted. */
export interface TaskState {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** bounded; not yet masked */
  readonly words?: string;
  /** how long it wants to be left alone, in ms; absent where it says nothing usable */
  readonly pollMs?: number;
  /** how long from its creation it keeps the task, in ms; null: without an end; absent where it says nothing usable */
  readonly ttlMs?: number | null;
  /** newer era, input_required: what it asks, by key, unjudged */
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  /** newer era, completed: the result as it was sent, unjudged */
  readonly result?: unknown;
  /** newer era, failed: the JSON-RPC error */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Which task of which server; it is asked about on a connection of this launch and era only. */
export interface TaskHandle {
  readonly taskId: string;
  readonly era: 'legacy' | 'modern';
  readonly launchFingerprint: string;
}

export const isOver = (status: TaskStatus): boolean => status === 'completed' || status === 'failed' || status === 'cancelled';

/** Characters of an id: it is sent in a header of HTTP (Mcp-Name). */
const ID_CAP = 512;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;
const WORDS_CAP = 2000;
const MOST_MS = Number.MAX_SAFE_INTEGER;

const wordsOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, WORDS_CAP).toWellFormed() : undefined);
const msOf = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 && value <= MOST_MS ? Math.round(value) : undefined);

const errorOf = (value: unknown): TaskState['error'] => {
  const e = isObject(value) ? value : {};
  const code = e['code'];
  return { code: Number.isSafeInteger(code) ? (code as number) : -32603, message: typeof e['message'] === 'string' ? e['message'].toWellFormed() : 'The task failed.', ...(e['data'] === undefined ? {} : { data: e['data'] }) };
};

/** One task as either era writes it, or what is wrong with it. Oddities of a member that nothing depends on lose that member. */
export const readTaskState = (raw: unknown): Result<TaskState, string> => {
  if (!isObject(raw)) return err('a task that is no object');
  const { taskId, status } = raw;
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > ID_CAP || !taskId.isWellFormed() || CONTROL.test(taskId)) return err('a task without a usable id');
  const known = TASK_STATUSES.find((one) => one === status);
  if (known === undefined) return err('a task in a state that is not known');
  const words = wordsOf(raw['statusMessage']);
  const pollMs = msOf(raw['pollIntervalMs'] ?? raw['pollInterval']);
  const ttl = raw['ttlMs'] === undefined ? raw['ttl'] : raw['ttlMs'];
  const ttlMs = ttl === null ? null : msOf(ttl);
  return ok({
    taskId,
    status: known,
    ...(words === undefined ? {} : { words }),
    ...(pollMs === undefined ? {} : { pollMs }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(known === 'input_required' && isObject(raw['inputRequests']) ? { inputRequests: raw['inputRequests'] } : {}),
    ...(known === 'completed' && raw['result'] !== undefined ? { result: raw['result'] } : {}),
    ...(known === 'failed' && raw['error'] !== undefined ? { error: errorOf(raw['error'])! } : {}),
  });
};
