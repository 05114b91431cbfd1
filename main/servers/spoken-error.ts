import { isObject } from '../../shared/is-object.ts';

/** What a JSON-RPC error says; untrusted. */
export interface SpokenError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/** The JSON-RPC error in the body of an answer that was refused by its HTTP status, where the SDK kept it; null where the body is anything else. */
export const spokenError = (error: unknown): SpokenError | null => {
  const text = (error as { readonly data?: { readonly text?: unknown } } | null)?.data?.text;
  if (typeof text !== 'string') return null;
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && isObject(body['error']) ? body['error'] : null;
  } catch {
    return null;
  }
};

const NO_ANSWER = 'The endpoint answered the request with something that does not answer it.';

interface Issue {
  readonly code?: unknown;
  readonly path?: readonly PropertyKey[];
  readonly message?: unknown;
}

/** What the SDK says of a message that has another shape than the protocol's: one sentence with the first place, never the list of its findings (I10). */
export const plainWords = (error: unknown): string => {
  const words = (error instanceof Error ? error.message : String(error)).toWellFormed();
  const at = words.search(/\[\s*\{/);
  if (at < 0 || !words.trimEnd().endsWith(']')) return words;
  try {
    const [first] = JSON.parse(words.slice(at)) as Issue[];
    if (first === undefined || (at === 0 && first.code === 'invalid_union')) return NO_ANSWER;
    const finding = `${['', ...(first.path ?? [])].map(String).join('/') || '/'}: ${String(first.message)}`;
    return at === 0 ? finding : `${words.slice(0, at).replace(/[:\s]+$/, '')} (${finding})`;
  } catch {
    return words;
  }
};
