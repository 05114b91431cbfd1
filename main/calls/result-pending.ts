import { isObject } from '../../shared/is-object.ts';
import type { Block } from './result-shape.ts';
import { onlyText, smallJson } from './result-signs.ts';

/** A job or an approval that goes on at the server after its answer. */
export interface PendingWork {
  readonly status: string;
  /** what the server named it by: member name and value */
  readonly ids: Readonly<Record<string, string>>;
}

const OPEN = new Set([
  'pending', 'queued', 'enqueued', 'running', 'in_progress', 'processing', 'working', 'submitted', 'accepted', 'scheduled', 'started', 'waiting', 'input_required',
  'awaiting_approval', 'pending_approval', 'waiting_for_approval', 'approval_required', 'needs_approval', 'awaiting_confirmation',
]);
const STATUS = new Set(['status', 'state', 'phase']);
const ID = /^(?:job|task|operation|execution|approval|workflow|build|batch|export|import|async_?operation|poll)_?id$|^(?:status|poll|approval)_?url$/i;
/** What came of it stands beside: then it is not only a promise. */
const OUTCOME = new Set(['result', 'results', 'output', 'outputs', 'data', 'content', 'rows', 'items', 'error']);
const MOST_MEMBERS = 16;

const isSaid = (value: unknown): boolean => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
const snake = (text: string): string => text.trim().toLowerCase().replace(/[\s-]+/g, '_');

/**
 * Whether the whole answer is a promise: a small object with a status that says "not done" and the name of a job, a task or an approval. An order that is
 * pending is business data and has no such name.
 */
const pendingObject = (value: unknown): PendingWork | null => {
  if (!isObject(value)) return null;
  const task = value['task'];
  if (isObject(task) && Object.keys(value).length <= 2) return pendingObject({ ...task, task_id: task['taskId'] ?? task['id'] });
  const names = Object.keys(value);
  if (names.length > MOST_MEMBERS || names.some((name) => OUTCOME.has(name.toLowerCase()) && isSaid(value[name]))) return null;
  const status = names.filter((name) => STATUS.has(name.toLowerCase())).map((name) => value[name]).find((said): said is string => typeof said === 'string' && OPEN.has(snake(said)));
  const ids = names.filter((name) => ID.test(name) && (typeof value[name] === 'string' || typeof value[name] === 'number')).map((name) => [name, String(value[name]).slice(0, 200).toWellFormed()] as const);
  return status === undefined || ids.length === 0 ? null : { status: status.slice(0, 40), ids: Object.fromEntries(ids) };
};

/** Class `pending` of design section 5, or null. `extra`: a task of the tasks extension stands beside the content. */
export const pendingWork = (content: readonly Block[], structured: { readonly value: unknown } | null, extra: Readonly<Record<string, unknown>>): PendingWork | null => {
  if (isObject(extra['task']) && content.length === 0 && structured === null) return pendingObject({ task: extra['task'] });
  if (structured) return pendingObject(structured.value);
  const text = onlyText(content);
  return text === null ? null : pendingObject(smallJson(text));
};
