type Message = Readonly<Record<string, unknown>>;

const ITSELF = Symbol('the result itself');

/** In order for every method of the newer era that the host asks. */
const IN_ORDER = { resultType: 'complete', tools: [], prompts: [], resources: [], resourceTemplates: [], contents: [], content: [], messages: [], completion: { values: [] }, ttlMs: 0, cacheScope: 'private' } as const;

/**
 * The newer era's SDK judges results as wholes, before whoever asked sees them: a list for one odd entry, an answer for one odd piece of content, on the host's thread.
 * It is given one that is in order and carries the real one, which Gantry's own stages judge. A result that does not say of which type it is is complete (2026-07-28, results);
 * a task, or a wish for further input, in the place of a result keeps its type, and what is wrong with it is told by Gantry (the SDK leaves out a state that is no text).
 */
export const unjudged = (answer: Message): Message => {
  const result = answer['result'];
  if (typeof result !== 'object' || result === null) return answer;
  const { resultType = 'complete', ...itself } = result as Message;
  if (resultType === 'task' || resultType === 'input_required') return { ...answer, result: { ...IN_ORDER, [ITSELF]: result } };
  return resultType === 'complete' ? { ...answer, result: { ...IN_ORDER, [ITSELF]: itself } } : answer;
};

export const theResultItself = (result: unknown): unknown => {
  const carried = result as { readonly [ITSELF]?: unknown } | null;
  return carried?.[ITSELF] ?? result;
};
