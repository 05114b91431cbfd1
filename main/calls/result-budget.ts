import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';

/** Design section 5: text and structured, and binary (base64 blocks, counted decoded) have budgets of their own. */
const RESULT_LIMITS = { textBytes: 16 * 1_048_576, binaryBytes: 20 * 1_048_576 } as const;

/** Text that one context takes at once; a model's is smaller than a window's. More is class `stored`. */
export const contextBytesFor = (principal: string): number => (principal === 'user' ? 262_144 : 65_536);

export interface ResultBytes {
  readonly textBytes: number;
  readonly binaryBytes: number;
}

const base64Length = (block: unknown): number => {
  if (typeof block !== 'object' || block === null) return 0;
  const { data, resource } = block as { readonly data?: unknown; readonly resource?: unknown };
  if (typeof data === 'string') return data.length;
  const blob = typeof resource === 'object' && resource !== null ? (resource as { readonly blob?: unknown }).blob : undefined;
  return typeof blob === 'string' ? blob.length : 0;
};

/** What may hold base64: blocks of a tool, contents of a resource, the content of a prompt's messages. */
const piecesOf = (raw: unknown): readonly unknown[] => {
  if (typeof raw !== 'object' || raw === null) return [];
  const { content, contents, messages } = raw as Readonly<Record<'content' | 'contents' | 'messages', unknown>>;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  return [...list(content), ...list(contents).map((resource) => ({ resource })), ...list(messages).flatMap((message) => (typeof message === 'object' && message !== null ? [(message as { content?: unknown }).content].flat() : []))];
};

/** `sizeBytes` counts the whole message; the base64 of its blocks is taken out of it. */
export const measure = (raw: unknown, sizeBytes: number): ResultBytes => {
  const encoded = piecesOf(raw).reduce<number>((sum, block) => sum + base64Length(block), 0);
  return { textBytes: Math.max(0, sizeBytes - encoded), binaryBytes: Math.floor((encoded * 3) / 4) };
};

/** too_large with both sizes, or null. */
export const overBudget = (bytes: ResultBytes): Fault | null => {
  const isText = bytes.textBytes > RESULT_LIMITS.textBytes;
  if (!isText && bytes.binaryBytes <= RESULT_LIMITS.binaryBytes) return null;
  const [size, limit, kind] = isText ? [bytes.textBytes, RESULT_LIMITS.textBytes, 'text'] : [bytes.binaryBytes, RESULT_LIMITS.binaryBytes, 'binary data'];
  const message = `The result holds ${size} bytes of ${kind}; Gantry stores at most ${limit}.`;
  return fault('too_large', message, { remedy: 'Ask for less: a smaller range, fewer rows, or a page.', details: { ...bytes, limitBytes: limit, mayHaveRun: true } });
};
