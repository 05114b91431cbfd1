import { fault, type Fault } from '../../shared/fault.ts';
import { takingOf, tooLargeAnswer } from './answer-taking.ts';
import { FRAME_CAP_BYTES } from './frame-caps.ts';
import type { FrameLane, HeldResult } from './frame-lane.ts';
import type { PassedFrame } from './frame-reader.ts';
import { idAtEnds, type IncomingFrame } from './incoming-frame.ts';
import type { LargePart } from './large-part.ts';
import type { Ledger } from './ledger.ts';
import { unreadRequest } from './unread-request.ts';

/** A part of a frame as a transport deals with it. `held`: the message's result is a stand-in for it. */
export type RoutedPart = IncomingFrame & { readonly held?: HeldResult | null; /** the request on whose stream it came, where that is known */ readonly streamOf?: string | number };

/** What the SDK gets in the place of a large result of a call: it judges the kind of a result only. */
const standIn = (resultType: unknown): Readonly<Record<string, unknown>> => ({ content: [], ...(resultType === undefined ? {} : { resultType }), ...(resultType === 'input_required' ? { requestState: 'left out' } : {}) });

/** Reads a large frame in the lane. What of an answer crosses follows from what it answers (`takingOf`). Never rejects; `bytes` are given away. */
export const readLarge = async (bytes: Buffer, lane: FrameLane, ledger: Ledger): Promise<readonly RoutedPart[]> => {
  const sizeBytes = bytes.length;
  const writtenId = idAtEnds(bytes, true);
  const read = await lane.read(bytes);
  if (!read.ok) return [{ kind: 'unreadable', id: writtenId, fault: read.error, sizeBytes }];
  const routed: RoutedPart[] = [];
  for (const { part, held } of read.value) routed.push(part.kind !== 'answer' ? part : await routeAnswer(part, held, ledger));
  return routed;
};

const routeAnswer = async (part: Extract<LargePart, { kind: 'answer' }>, held: HeldResult | null, ledger: Ledger): Promise<RoutedPart> => {
  const { sizeBytes } = part;
  const about = { sizeBytes, ...(part.notes.length === 0 ? {} : { notes: part.notes }) };
  const answer = (result: unknown): IncomingFrame => ({ kind: 'message', message: { jsonrpc: '2.0', ...(part.id === undefined ? {} : { id: part.id }), result }, ...about });
  const unreadable = (why: Fault): RoutedPart => ({ kind: 'unreadable', id: typeof part.id === 'number' || typeof part.id === 'string' ? part.id : null, fault: why, sizeBytes });
  const method = ledger.methodOf(part.id);
  const taking = takingOf(method);
  if (held === null || method === null || taking === 'held') return { ...answer(standIn(part.resultType)), held };
  if (taking === 'task') {
    const task = await held.task();
    if (!task.ok) return unreadable(task.error);
    const { state, hasResult } = task.value;
    return state === null ? unreadable(tooLargeAnswer(method, sizeBytes)) : { ...answer(state), ...(hasResult ? { held } : {}) };
  }
  if (taking === 'small' && !part.isSmall) {
    held.release();
    return unreadable(tooLargeAnswer(method, sizeBytes));
  }
  const whole = await (taking === 'small' ? held.all() : held.list());
  return whole.ok ? answer(whole.value) : unreadable(whole.error);
};

/** A message over the cap: its call ends, the connection stays. */
export const passedPart = ({ sizeBytes, head, tail }: PassedFrame): RoutedPart => {
  const asked = unreadRequest(head);
  return { kind: 'unreadable', ...(asked === undefined ? { id: idAtEnds(Buffer.concat([head, tail]), true) } : { id: asked, asks: true }), sizeBytes, fault: overCap(asked === undefined ? 'answer' : 'request', sizeBytes) };
};

const overCap = (what: string, sizeBytes: number): Fault => fault('too_large', `The ${what} has ${sizeBytes} bytes; Gantry reads at most ${FRAME_CAP_BYTES} at once.`, { remedy: 'Ask for less: a smaller range, fewer rows, or a page.', details: { sizeBytes, limitBytes: FRAME_CAP_BYTES } });
