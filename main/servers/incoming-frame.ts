import { isUtf8 } from 'node:buffer';
import { fault, type Fault } from '../../shared/fault.ts';
import { shallowListing } from './deep-entries.ts';
import { STRUCTURE_CAP_BYTES } from './frame-caps.ts';
import { withoutLargeEntries } from './large-entries.ts';
import { JSON_DEPTH_CAP, hasMoreStructureThan, isDeeperThan } from './json-depth.ts';
import { unreadRequest } from './unread-request.ts';
import { below, mayHoldSourceNumbers, sourceNumbers, type SourceNumber } from './source-numbers.ts';

/** `exact`: the numbers of its result that reading rounds, with pointers from there; undefined where no number looks like one. */
export type MessageFrame = { readonly kind: 'message'; readonly message: Readonly<Record<string, unknown>>; readonly sizeBytes: number; readonly notes?: readonly string[]; readonly exact?: readonly SourceNumber[] };

/** What one line of a server is. `junk`: no JSON-RPC at all (F01, F02). `unreadable`: an answer that must end its call, not the connection. */
export type IncomingFrame =
  | MessageFrame
  | { readonly kind: 'unreadable'; readonly id: string | number | null; readonly fault: Fault; readonly sizeBytes: number; /** a request or notice of the server, whose id is its own; absent: an answer */ readonly asks?: true }
  | { readonly kind: 'junk'; readonly text: string };

/** What is read of a junk line: far more than is shown (JUNK_LINE_CAP), because known secrets are masked before the text is cut. */
const JUNK_READ_BYTES = 64 * 1024;
const BRACE = 0x7b;
const BRACKET = 0x5b;

const ID = String.raw`"id"\s*:\s*(?:(-?\d{1,15})|"([^"\\]{1,80})")`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const ID_FIRST = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}\s*,`);
const ID_LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);
const ID_ANYWHERE = new RegExp(ID);

/**
 * The id of an answer that is not parsed: looked for at its ends, where servers write it. `exact`: only where nothing but the version stands beside it, as
 * in an answer that is sound but too large; without, anywhere at the ends of one that is broken.
 */
export const idAtEnds = (bytes: Buffer, exact = false): string | number | null => {
  const [head, tail] = [bytes.toString('latin1', 0, 128), bytes.toString('latin1', Math.max(0, bytes.length - 128))];
  const match = ID_FIRST.exec(head) ?? ID_LAST.exec(tail) ?? (exact ? null : (ID_ANYWHERE.exec(head) ?? ID_ANYWHERE.exec(tail)));
  if (match === null) return null;
  return match[1] !== undefined ? Number(match[1]) : match[2]!;
};

const looksLikeRpc = (bytes: Buffer): boolean => bytes.subarray(0, 512).includes('"jsonrpc"') || bytes.subarray(-64).includes('"jsonrpc"');

const isMessage = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const v = value as Record<string, unknown>;
  // an answer that forgot to say its version is one all the same, where nothing else stands in it
  if (v['jsonrpc'] === undefined) return 'id' in v && ('result' in v) !== ('error' in v) && Object.keys(v).length === 2;
  if (v['jsonrpc'] !== '2.0') return false;
  return typeof v['method'] === 'string' || 'result' in v || 'error' in v || 'id' in v;
};

/** Unpaired surrogates are stored nowhere and sent to nobody (F04). The depth is bounded before. */
const wellFormed = (value: unknown): { readonly value: unknown; readonly changed: boolean } => {
  if (typeof value === 'string') return value.isWellFormed() ? { value, changed: false } : { value: value.toWellFormed(), changed: true };
  if (typeof value !== 'object' || value === null) return { value, changed: false };
  let changed = false;
  const visit = (child: unknown): unknown => {
    const repaired = wellFormed(child);
    changed ||= repaired.changed;
    return repaired.value;
  };
  if (Array.isArray(value)) {
    const items = value.map(visit);
    return { value: items, changed };
  }
  const entries = Object.entries(value).map(([key, child]) => [visit(key) as string, visit(child)] as const);
  return { value: Object.fromEntries(entries), changed };
};

/** How much text without a line break may stand before an answer. */
const GLUED_TEXT_CAP_BYTES = 8192;

/**
 * An answer behind text that was printed without a line break (progress dots): the text is junk, the answer counts. Only answers: a request or notice in such a line
 * is more likely quoted than meant.
 */
const gluedAnswer = (bytes: Buffer): IncomingFrame[] | null => {
  const head = bytes.toString('latin1', 0, GLUED_TEXT_CAP_BYTES);
  let tries = 0;
  for (let at = head.indexOf('{"', 1); at > 0 && tries < 4; at = head.indexOf('{"', at + 1)) {
    if (!/^\{"(?:jsonrpc|id|result|error)"/.test(head.slice(at, at + 12))) continue;
    tries++;
    const parts = readFrame(bytes.subarray(at));
    const [part] = parts;
    if (parts.length === 1 && part?.kind === 'message' && !('method' in part.message)) return [{ kind: 'junk', text: bytes.toString('utf8', 0, at) }, part];
  }
  return null;
};

/** The answer to a list request of which single entries are too large to be parsed. A call's result is never read without a part of it. */
const smallerListing = (bytes: Buffer): MessageFrame | null => {
  const smaller = withoutLargeEntries(bytes);
  if (smaller === null || hasMoreStructureThan(smaller, STRUCTURE_CAP_BYTES)) return null;
  const [part] = readFrame(smaller);
  const result = part?.kind === 'message' ? part.message['result'] : undefined;
  if (part?.kind !== 'message' || typeof result !== 'object' || result === null || 'content' in result || 'structuredContent' in result) return null;
  return { ...part, sizeBytes: bytes.length };
};

/** A message that is not read: an answer, whose call it ends, or a request, whose sender waits for an error. `why`: behind "The answer". */
const unread = (bytes: Buffer, answerId: () => string | number | null, why: (what: 'answer' | 'request') => Fault): IncomingFrame => {
  const asked = unreadRequest(bytes);
  if (asked !== undefined) return { kind: 'unreadable', id: asked, sizeBytes: bytes.length, fault: why('request'), asks: true };
  return { kind: 'unreadable', id: answerId(), sizeBytes: bytes.length, fault: why('answer') };
};

/** Reads one frame. A batch (older revisions) is read as its parts. */
export const readFrame = (bytes: Buffer): IncomingFrame[] => {
  const first = bytes[0];
  const start = first === 0x20 || first === 0x09 ? (bytes.toString('latin1', 0, 256).trimStart().charCodeAt(0) || 0) : first;
  if (start !== BRACE && start !== BRACKET) return gluedAnswer(bytes) ?? [{ kind: 'junk', text: bytes.toString('utf8', 0, JUNK_READ_BYTES) }];
  if (hasMoreStructureThan(bytes, STRUCTURE_CAP_BYTES)) {
    const listing = smallerListing(bytes);
    if (listing !== null) return [listing];
    const why = (what: string): Fault => fault('too_large', `The ${what} has more than ${STRUCTURE_CAP_BYTES} bytes of structure and was not read.`, { remedy: 'Ask for less: a smaller range, fewer rows, or a page.', details: { sizeBytes: bytes.length, limitBytes: STRUCTURE_CAP_BYTES } });
    return [unread(bytes, () => idAtEnds(bytes), why)];
  }
  if (isDeeperThan(bytes)) {
    if (!looksLikeRpc(bytes)) return [{ kind: 'junk', text: bytes.toString('utf8', 0, JUNK_READ_BYTES) }];
    const listing = shallowListing(bytes);
    if (listing !== null && isMessage(listing)) return [{ kind: 'message', message: wellFormed(listing).value as Readonly<Record<string, unknown>>, sizeBytes: bytes.length }];
    return [unread(bytes, () => idAtEnds(bytes), (what) => fault('protocol_error', `The ${what} is nested deeper than ${JSON_DEPTH_CAP} levels and was not read.`))];
  }
  const valid = isUtf8(bytes);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const glued = gluedAnswer(bytes);
    if (glued !== null) return glued;
    const id = looksLikeRpc(bytes) ? idAtEnds(bytes) : null;
    if (id === null) return [{ kind: 'junk', text: bytes.toString('utf8', 0, JUNK_READ_BYTES) }];
    return [unread(bytes, () => id, (what) => fault('protocol_error', `The server sent ${what === 'answer' ? 'an answer' : 'a request'} that is not JSON.`))];
  }
  const notes: string[] = [];
  if (!valid) notes.push('The answer is not valid UTF-8; the bytes that could not be read are shown as replacement marks.');
  if (bytes.includes('\\ud') || bytes.includes('\\uD')) {
    const repaired = wellFormed(value);
    if (repaired.changed) notes.push('The answer holds unpaired surrogates; they are shown as replacement marks.');
    value = repaired.value;
  }
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  if (!parts.every(isMessage) || parts.length === 0) return [{ kind: 'junk', text: bytes.toString('utf8', 0, JUNK_READ_BYTES) }];
  const numbers = mayHoldSourceNumbers(text) ? sourceNumbers(text) : null;
  return parts.map((message, i): IncomingFrame => ({
    kind: 'message',
    message: message['jsonrpc'] === undefined ? { jsonrpc: '2.0', ...message } : message,
    sizeBytes: bytes.length,
    ...(notes.length === 0 ? {} : { notes }),
    ...(numbers === null ? {} : { exact: below(numbers, `${Array.isArray(value) ? `/${i}` : ''}/result`) }),
  }));
};
