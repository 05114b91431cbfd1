import { AnswerTooLarge } from '../network/answer-too-large.ts';
import { KEPT_END_BYTES, PASSED_CAP_BYTES } from './frame-caps.ts';
import { firstBytes } from './frame-reader.ts';
import type { HttpFrames } from './http-frames.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The lines of an event, in any of the three line ends that the format knows. */
const linesOf = (event: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  let from = 0;
  while (from < event.length) {
    const newline = event.indexOf(NEWLINE, from);
    const end = newline < 0 ? event.length : newline;
    const back = event.subarray(from, end).indexOf(RETURN);
    const stop = back < 0 ? end : from + back;
    lines.push(event.subarray(from, stop));
    from = stop + 1 + (event[stop] === RETURN && event[stop + 1] === NEWLINE ? 1 : 0);
  }
  return lines;
};

const valueOf = (line: Buffer, field: string): Buffer | null => {
  if (line.toString('latin1', 0, field.length + 1) !== `${field}:`) return null;
  return line.subarray(line[field.length + 1] === 0x20 ? field.length + 2 : field.length + 1);
};

/** A message event with its data, and its other lines; null for events that carry no message. */
const messageOf = (event: Buffer): { readonly data: Buffer; readonly others: readonly Buffer[] } | null => {
  const data: Buffer[] = [];
  const others: Buffer[] = [];
  for (const line of linesOf(event)) {
    const value = valueOf(line, 'data');
    if (value !== null) data.push(value);
    else if (line.length > 0 && (valueOf(line, 'id')?.length ?? 0) <= LONGEST_ID) others.push(line);
    const type = valueOf(line, 'event');
    if (type !== null && type.toString('utf8') !== 'message') return null;
  }
  if (data.length === 0) return null;
  return { data: data.length === 1 ? data[0]! : Buffer.concat(data.flatMap((part, i) => (i === 0 ? [part] : [Buffer.from('\n'), part]))), others };
};

/** How long a flood of events is read before anything else of the host is done. */
const TURN_MS = 8;

/** Characters of an event's id that are kept: it is sent back in a header (`Last-Event-ID`). */
const LONGEST_ID = 1024;

/** Without an id that no header takes; a stream is then taken up by an earlier one, or not at all. */
const withoutLongId = (event: Buffer): Buffer => (event.length <= LONGEST_ID || valueIn(event, 'id') === null ? event : joined(linesOf(event).filter((line) => (valueOf(line, 'id')?.length ?? 0) <= LONGEST_ID)));
const valueIn = (event: Buffer, field: string): Buffer | null => linesOf(event).map((line) => valueOf(line, field)).find((value) => value !== null) ?? null;
const joined = (lines: readonly Buffer[]): Buffer => Buffer.concat([...lines.flatMap((line) => [line, Buffer.from('\n')]), Buffer.from('\n')]);

const eventOf = (data: string, others: readonly Buffer[]): Buffer => Buffer.concat([...others.flatMap((line) => [line, Buffer.from('\n')]), Buffer.from(`data: ${data}\n\n`)]);

/**
 * An event stream, event by event: a small one goes on as it is, a large one as a stand-in, in order. One over the cap is read past and ends its call;
 * what goes on without an end breaks the stream with AnswerTooLarge.
 */
export const sseFrames = (stream: ReadableStream<Uint8Array>, options: { readonly frames: HttpFrames; readonly capBytes: number; readonly requestId: unknown; readonly passedCapBytes?: number }): ReadableStream<Uint8Array> => {
  const { frames, capBytes, requestId } = options;
  const passedCapBytes = Math.max(capBytes, options.passedCapBytes ?? PASSED_CAP_BYTES);
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | null = null;
  let tail = Buffer.alloc(0);
  let lineEnds = 0;
  let afterReturn = false;
  /** index behind the end of the event, or -1 */
  const endIn = (chunk: Buffer, from: number): number => {
    for (let i = from; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === RETURN || (byte === NEWLINE && !afterReturn)) lineEnds += 1;
      else if (byte !== NEWLINE) lineEnds = 0;
      afterReturn = byte === RETURN;
      if (lineEnds >= 2) {
        lineEnds = 0;
        return i + 1;
      }
    }
    return -1;
  };
  const keep = (piece: Buffer): void => {
    size += piece.length;
    if (head === null && size > capBytes) {
      head = firstBytes([...parts, piece], KEPT_END_BYTES * 4);
      parts = [];
    }
    if (head === null) parts.push(piece);
    else tail = Buffer.from(Buffer.concat([tail, piece.subarray(-KEPT_END_BYTES)]).subarray(-KEPT_END_BYTES));
  };
  /** what goes on, handed over at once for each piece that comes: a flood of small events is no flood of pieces */
  let ready: Buffer[] = [];
  const handOver = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (ready.length > 0) controller.enqueue(ready.length === 1 ? ready[0]! : Buffer.concat(ready));
    ready = [];
  };
  let turnedAt = 0;
  /** Others have their turn: what has arrived is read in one go otherwise, however much it is. */
  const turn = async (controller: TransformStreamDefaultController<Uint8Array>): Promise<void> => {
    handOver(controller);
    await new Promise((next) => setImmediate(next));
    turnedAt = performance.now();
  };
  const finished = async (controller: TransformStreamDefaultController<Uint8Array>): Promise<void> => {
    const [event, passedHead, sizeBytes] = [parts, head, size];
    [parts, head, size] = [[], null, 0];
    if (passedHead !== null) {
      const begin = Math.max(0, passedHead.indexOf(0x7b));
      ready.push(eventOf(frames.passed({ sizeBytes, head: passedHead.subarray(begin, begin + KEPT_END_BYTES), tail }, requestId), []));
      tail = Buffer.alloc(0);
      return;
    }
    const bytes = event.length === 1 ? event[0]! : Buffer.concat(event);
    const message = messageOf(bytes);
    const reading = message === null ? null : frames.standIns(message.data, requestId);
    // what came before a large one does not wait for it
    if (reading instanceof Promise) handOver(controller);
    const standIns = reading instanceof Promise ? await reading : reading;
    if (message === null || standIns === null) ready.push(withoutLongId(bytes));
    else for (const data of standIns) ready.push(eventOf(data, message.others));
  };
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: async (given, controller) => {
        const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
        for (let from = 0; from < chunk.length; ) {
          const end = endIn(chunk, from);
          keep(chunk.subarray(from, end < 0 ? chunk.length : end));
          if (size > passedCapBytes) return controller.error(new AnswerTooLarge(size));
          if (end < 0) break;
          await finished(controller);
          from = end;
          if (performance.now() - turnedAt > TURN_MS) await turn(controller);
        }
        handOver(controller);
        if (performance.now() - turnedAt > TURN_MS) await turn(controller);
      },
      flush: (controller) => {
        if (head === null) for (const part of parts) controller.enqueue(part);
      },
    }),
  );
};
