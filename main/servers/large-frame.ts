import { fault } from '../../shared/fault.ts';
import { FRAME_CAP_BYTES } from './frame-caps.ts';
import type { FrameLane, HeldResult } from './frame-lane.ts';
import type { PassedFrame } from './frame-reader.ts';
import { idAtEnds, type IncomingFrame } from './incoming-frame.ts';
import type { Ledger } from './ledger.ts';

/** A part of a frame as a transport deals with it. `held`: the message's result is a stand-in for it. */
export type RoutedPart = IncomingFrame & { readonly held?: HeldResult | null; /** the request on whose stream it came, where that is known */ readonly streamOf?: string | number };

/** What the SDK gets in the place of a large result of a call: it judges the kind of a result only. */
const standIn = (resultType: unknown): Readonly<Record<string, unknown>> => ({ content: [], ...(resultType === undefined ? {} : { resultType }), ...(resultType === 'input_required' ? { requestState: 'left out' } : {}) });

/** Reads a large frame in the lane. The result of a call stays there; any other is taken over, as the host needs it whole. Never rejects; `bytes` are given away. */
export const readLarge = async (bytes: Buffer, lane: FrameLane, ledger: Ledger): Promise<readonly RoutedPart[]> => {
  const sizeBytes = bytes.length;
  const writtenId = idAtEnds(bytes, true);
  const read = await lane.read(bytes);
  if (!read.ok) return [{ kind: 'unreadable', id: writtenId, fault: read.error, sizeBytes }];
  const routed: RoutedPart[] = [];
  for (const { part, held } of read.value) {
    if (part.kind !== 'answer') routed.push(part);
    else {
      const about = { sizeBytes: part.sizeBytes, ...(part.notes.length === 0 ? {} : { notes: part.notes }) };
      const answer = (result: unknown): IncomingFrame => ({ kind: 'message', message: { jsonrpc: '2.0', ...(part.id === undefined ? {} : { id: part.id }), result }, ...about });
      if (held === null || ledger.isToCall(part.id)) routed.push({ ...answer(standIn(part.resultType)), held });
      else {
        const whole = await held.whole();
        routed.push(whole.ok ? answer(whole.value) : { kind: 'unreadable', id: typeof part.id === 'number' || typeof part.id === 'string' ? part.id : null, fault: whole.error, sizeBytes });
      }
    }
  }
  return routed;
};

/** A message over the cap: its call ends, the connection stays. */
export const passedPart = ({ sizeBytes, head, tail }: PassedFrame): RoutedPart => ({
  kind: 'unreadable',
  id: idAtEnds(Buffer.concat([head, tail]), true),
  sizeBytes,
  fault: fault('too_large', `The answer has ${sizeBytes} bytes; Gantry reads at most ${FRAME_CAP_BYTES} at once.`, { remedy: 'Ask for less: a smaller range, fewer rows, or a page.', details: { sizeBytes, limitBytes: FRAME_CAP_BYTES } }),
});
