import { parentPort } from 'node:worker_threads';
import { SchemaChecker } from '../capabilities/schema-checker.ts';
import { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { KnownSecret } from '../secrets/mask.ts';
import type { FrameQuestion, FrameSlice, FrameTask } from '../servers/frame-lane.ts';
import { readFrame } from '../servers/incoming-frame.ts';
import { hasMoreStructureThan } from '../servers/json-depth.ts';
import { ENTRY_CAP_BYTES, ENTRY_STRUCTURE_CAP_BYTES } from '../servers/large-entries.ts';
import { reducePart, sliceResult, splitTask } from '../servers/large-part.ts';
import { below } from '../servers/source-numbers.ts';
import type { JudgeOrder } from './judge-held.ts';
import { judgeResult } from './judge-result.ts';
import type { ReceivedResult, ValidatedCall } from './judge-result.ts';

/** One frame at a time: its results lie here between reading and judging. */
let held: (ReceivedResult | null)[] = [];
let slicing: { readonly index: number; readonly cut: ReturnType<typeof sliceResult> } | null = null;

const schemas = new SchemaChecker();
let secrets: readonly KnownSecret[] = [];
let secretsText = '[]';
const filter = new PrivacyFilter(() => secrets);

const drop = (): void => {
  held = [];
  slicing = null;
};

const read = (bytes: Uint8Array): unknown => {
  drop();
  const isSmall = bytes.length <= ENTRY_CAP_BYTES && !hasMoreStructureThan(bytes, ENTRY_STRUCTURE_CAP_BYTES);
  return readFrame(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).map((incoming) => {
    const { part, result } = reducePart(incoming, isSmall);
    if (result === null || incoming.kind !== 'message') held.push(null);
    else {
      // what kind of result it is was the client's to judge, by the revision that was agreed on; it is no part of the result
      const { resultType: _resultType, ...raw } = result;
      held.push({ raw, sizeBytes: incoming.sizeBytes, notes: incoming.notes, exact: incoming.exact });
    }
    return part;
  });
};

const resultOf = (index: number): ReceivedResult => {
  const found = held[index];
  if (!found) throw new Error('this result is no longer held');
  return found;
};

const judge = (index: number, { about, outputSchema, fingerprint, secrets: known }: JudgeOrder): ValidatedCall => {
  const text = JSON.stringify(known);
  // the masker's table is built anew when the array is another one
  if (text !== secretsText) [secrets, secretsText] = [known, text];
  const judged = judgeResult(resultOf(index), about, {
    filter,
    judgeOutput: (value) => {
      const compiled = schemas.compile(outputSchema, fingerprint, 'output');
      return compiled.ok ? compiled.value(value) : null;
    },
  });
  if (judged.stored === null) return judged;
  return { ...judged, stored: { ...judged.stored, text: new TextEncoder().encode(judged.stored.text as string) } };
};

const slice = (index: number, from: number): FrameSlice => {
  if (slicing?.index !== index) slicing = { index, cut: sliceResult(resultOf(index).raw as Readonly<Record<string, unknown>>) };
  const { rest, field, slices } = slicing.cut;
  return { ...(from === 0 ? { rest } : {}), field, items: slices[from] ?? [], left: Math.max(0, slices.length - from - 1) };
};

/** The result of the call takes the place of the answer that it came in. */
const task = (index: number): FrameTask => {
  const { raw, sizeBytes, notes, exact } = resultOf(index);
  const split = splitTask(raw as Readonly<Record<string, unknown>>);
  held[index] = split === null || split.result === null ? null : { raw: split.result, sizeBytes, notes, exact: exact === undefined ? undefined : below(exact, '/result') };
  return split === null ? { state: null, hasResult: false } : { state: split.state, hasResult: split.result !== null };
};

parentPort!.on('message', (question: FrameQuestion | { readonly op: 'drop' }) => {
  if (question.op === 'drop') return drop();
  try {
    if (question.op === 'read') parentPort!.postMessage({ answer: read(question.bytes) });
    else if (question.op === 'task') parentPort!.postMessage({ answer: task(question.index) });
    else if (question.op === 'whole') parentPort!.postMessage({ answer: resultOf(question.index).raw });
    else if (question.op === 'slice') parentPort!.postMessage({ answer: slice(question.index, question.from) });
    else {
      const judged = judge(question.index, question.order as JudgeOrder);
      const bytes = judged.stored?.text;
      parentPort!.postMessage({ answer: judged }, bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : []);
    }
  } catch (error) {
    parentPort!.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
});
