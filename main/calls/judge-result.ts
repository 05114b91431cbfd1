import type { CallResult, ResultClass } from '../../shared/call.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Verdict } from '../capabilities/validator.ts';
import { sha256 } from '../evidence/canonical.ts';
import type { MaskedPlace, PrivacyFilter } from '../evidence/privacy-filter.ts';
import { previewOf, shorten, WINDOW_BUDGET_BYTES } from '../evidence/result-preview.ts';
import { wellFormed } from '../evidence/well-formed.ts';
import type { SourceNumber } from '../servers/source-numbers.ts';
import type { ResultTexts } from '../store/invocations.ts';
import { categoryOf, redactError, redactErrorValue } from './redact-error.ts';
import { measure, overBudget } from './result-budget.ts';
import { fitResult } from './result-fit.ts';
import type { FittedResult, ModelBudget } from './result-fit.ts';
import { readsAsError } from './result-failure.ts';
import { pendingWork } from './result-pending.ts';
import type { PendingWork } from './result-pending.ts';
import { otherUris, readShapeOf } from './kind-shapes.ts';
import { tooDeep } from './result-shape.ts';
import type { ShapedResult } from './result-shape.ts';
import { isEmptyResult } from './result-signs.ts';

/** One class of design section 5 and what is kept of the result, after the privacy filter. */
export interface ValidatedCall {
  readonly stage: 'validated';
  readonly class: ResultClass;
  /** null when completed */
  readonly fault: Fault | null;
  /** within a window's budget: shortened, and saying so, where the whole one in `stored` is larger */
  readonly result: CallResult | null;
  /** the text that is stored (UTF-8 bytes where a worker wrote it) and its hash for the evidence; `preview`: the text of `result` where that is shorter */
  readonly stored: { readonly text: string | Uint8Array; readonly sha256: string; readonly preview: { readonly text: string; readonly sha256: string } | null } | null;
  readonly grounded: boolean;
  /** made of the whole result for a model, where one asked */
  readonly fitted?: FittedResult;
  /** of the whole result, for the evidence */
  readonly facts: { readonly blocks: number; readonly structured: boolean; readonly firstWords: string | undefined; readonly pending?: PendingWork } | null;
}

/** What came, as parsed JSON. `exact`: the numbers whose source text a double does not carry; undefined where the text was not at hand. */
export interface ReceivedResult {
  readonly raw: unknown;
  readonly sizeBytes: number;
  readonly notes?: readonly string[] | undefined;
  readonly exact?: readonly SourceNumber[] | undefined;
  /** false: a part of a result that is no ground for a statement */
  readonly citable?: boolean | undefined;
}

/** What is known of the call whose result it is; plain data, so that a worker can be told. */
export interface JudgeAbout {
  readonly effects: boolean;
  readonly kind: CapabilityKind;
  /** the URI that a resource was asked by; null for tools and prompts */
  readonly askedUri: string | null;
  /** text bytes that go into this principal's context at once; more is class `stored` */
  readonly contextBytes: number;
  /** what a model is told of it at most; null where no model asked */
  readonly model: ModelBudget | null;
  readonly declaresOutput: boolean;
  readonly source: CallResult['source'];
}

export interface JudgeParts {
  readonly filter: PrivacyFilter;
  /** by the declared output schema; null where that cannot be compiled: a fact of the definition, shown there, which does not make this result wrong */
  readonly judgeOutput: (value: unknown) => Verdict | null;
}

const COMPLETED: ReadonlySet<ResultClass> = new Set(['ok', 'ok_empty', 'stored', 'pending', 'suspect_success']);
export const isCompleted = (resultClass: ResultClass): boolean => COMPLETED.has(resultClass);
const GROUNDED: ReadonlySet<ResultClass> = new Set(['ok', 'ok_empty', 'stored']);

/** Characters of an event's first words, of a pointer, and of what a fault says and repeats of a server: a name of 10 MB is one, too. */
const FIRST_WORDS = 300;
const LONGEST_POINTER = 1_000;
const LONGEST_MESSAGE = 4_000;
const LONGEST_WORDS = 16_000;
/** Places of masks that are listed one by one. */
const MASKED_LISTED = 500;
/** Numbers whose source text is kept, and those named in the notes. */
const NUMBERS_KEPT = 100;
const NUMBERS_NAMED = 3;
const LONGEST_NUMBER = 100;

const firstWordsOf = (result: CallResult): string | undefined => {
  const block = result.content.find((item) => item['type'] === 'text');
  return typeof block?.['text'] === 'string' ? shorten(block['text'], FIRST_WORDS) : undefined;
};

const bounded = (given: Fault): Fault => ({
  ...given,
  message: shorten(given.message, LONGEST_MESSAGE),
  ...(given.field === undefined ? {} : { field: shorten(given.field, LONGEST_POINTER) }),
});

/** Pointers and messages quote the server, so they are mended as well. */
export const closedAs = (resultClass: ResultClass, given: Fault | null, result: CallResult | null): ValidatedCall => {
  const f = given === null ? null : bounded(wellFormed(given).value as Fault);
  const grounded = GROUNDED.has(resultClass);
  if (result === null) return { stage: 'validated', class: resultClass, fault: f, result: null, stored: null, grounded, facts: null };
  const text = JSON.stringify(result);
  const shown = previewOf(result, WINDOW_BUDGET_BYTES);
  const previewText = shown === result ? null : JSON.stringify(shown);
  return {
    stage: 'validated',
    class: resultClass,
    fault: f,
    result: shown,
    stored: { text, sha256: sha256(text), preview: previewText === null ? null : { text: previewText, sha256: sha256(previewText) } },
    grounded,
    facts: { blocks: result.content.length, structured: result.structuredContent !== undefined, firstWords: firstWordsOf(result) },
  };
};

const schemaProblem = (shape: ShapedResult, about: JudgeAbout, judgeOutput: JudgeParts['judgeOutput']): ShapedResult['problem'] => {
  if (!about.declaresOutput) return null;
  if (shape.structured === null) return { pointer: '/structuredContent', message: 'the tool declares an output schema but sent no structured content' };
  const verdict = judgeOutput(shape.structured.value);
  if (verdict === null || verdict.ok) return null;
  return { pointer: `/structuredContent${verdict.pointer}`, message: `the structured content does not fit the declared output schema: ${verdict.message}` };
};

const wordsOf = (result: CallResult): string => {
  const texts = result.content.filter((block) => typeof block['text'] === 'string').map((block) => String(block['text']));
  if (texts.some((text) => text.trim() !== '')) return texts.join('\n').trim();
  return result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent);
};

const toolError = (result: CallResult, effects: boolean): Fault => {
  const words = shorten(wordsOf(result), LONGEST_WORDS);
  const category = categoryOf(words);
  const retryable = !effects && (category === 'rate_limit' || category === 'network' || category === 'timeout');
  const message = words === '' ? 'The tool reported an error without words.' : `The tool reported an error: ${shorten(words, 500)}`;
  return fault('tool_error', message, { details: { category, retryable, mayHaveRun: true, serverWords: words } });
};

/** A result of a hundred thousand masks is told in sum from a point on: how many of each kind, at the root. */
const listedMasks = (masked: readonly MaskedPlace[]): MaskedPlace[] => {
  const listed = masked.slice(0, MASKED_LISTED).map((m) => ({ ...m, place: shorten(m.place, LONGEST_POINTER) }));
  const rest = new Map<string, number>();
  for (const m of masked.slice(MASKED_LISTED)) rest.set(m.kind, (rest.get(m.kind) ?? 0) + m.count);
  return [...listed, ...[...rest].map(([kind, count]) => ({ place: '', kind, count }))];
};

const numberNotes = (exact: readonly (Omit<SourceNumber, 'read'> & { readonly read: string })[] | undefined, roundedAt: string | null): string[] => {
  if (exact === undefined) return roundedAt === null ? [] : [`The number at ${shorten(roundedAt, LONGEST_POINTER)} is beyond 2^53; its last digits may have been rounded.`];
  const named = exact.slice(0, NUMBERS_NAMED).map(({ place, text, read }) => `The number at ${place} was sent as ${shorten(text, LONGEST_NUMBER)}; ${Number.isFinite(Number(read)) || read === '[secret]' ? `reading it gives ${read}` : 'it is larger than any number that can be read'}.`);
  return exact.length > NUMBERS_NAMED ? [...named, `${exact.length - NUMBERS_NAMED} more numbers have more digits than reading keeps; exactNumbers lists them.`] : named;
};

/**
 * Protocol shape, declared output schema, bytes, privacy filter: what came back becomes one class, never a guess. The same code in the host's thread
 * and in a worker, whatever the size. Never throws for what a server may send.
 */
export const judgeResult = (received: ReceivedResult, about: JudgeAbout, { filter, judgeOutput }: JudgeParts): ValidatedCall => {
  const { raw, sizeBytes } = received;
  if (tooDeep(raw)) return closedAs('invalid_result', fault('invalid_result', 'The result is nested too deeply to be read.', { field: '', details: { mayHaveRun: true } }), null);
  const bytes = measure(raw, sizeBytes);
  const over = overBudget(bytes);
  if (over) return closedAs('too_large', over, null);
  const sound = wellFormed(raw);
  const shape = readShapeOf(about.kind, sound.value);
  const endless = sound.endlessAt === null ? null : { pointer: sound.endlessAt, message: 'a number is larger than can be read' };
  const problem = shape.problem ?? endless ?? (shape.isError ? null : schemaProblem(shape, about, judgeOutput));
  const redact = shape.isError ? redactErrorValue : (value: unknown): unknown => value;
  const masked: MaskedPlace[] = [];
  const clean = (value: unknown, place: string): unknown => {
    // masked before it is cut: the first part of a secret that stands across a cut would be no known value any more
    const kept = filter.value(value);
    for (const m of kept.masked) masked.push({ ...m, place: place + m.place });
    return redact(kept.value);
  };
  const content = clean(shape.content, '/content') as CallResult['content'];
  const structured = shape.structured === null ? undefined : clean(shape.structured.value, '/structuredContent');
  const extra = clean(shape.extra, '') as CallResult['extra'];
  const exact = received.exact?.map(({ place, text, read }) => ({ place: shorten(filter.text(place), LONGEST_POINTER), text: filter.text(text), read: String(filter.value(read).value) }));
  const others = about.askedUri === null ? null : otherUris(shape.content, about.askedUri);
  const notes = [
    ...shape.notes,
    ...(others === null ? [] : [filter.text(others)]),
    ...(received.notes ?? []),
    ...(sound.mended ? ['The answer holds unpaired surrogates; they are shown as replacement marks.'] : []),
    ...numberNotes(exact, sound.roundedAt),
  ];
  const result: CallResult = {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    isError: shape.isError,
    extra,
    sizeBytes,
    masked: listedMasks(masked),
    ...(exact === undefined || exact.length === 0 ? {} : { exactNumbers: exact.slice(0, NUMBERS_KEPT).map(({ place, text }) => ({ place, text })) }),
    ...(notes.length === 0 ? {} : { notes }),
    source: about.source,
  };
  const isTool = about.kind === 'tool';
  // a resource may be a log of errors, and a prompt may speak of them
  const suspect = isTool && !shape.isError && problem === null && readsAsError(shape.content, shape.structured);
  const pending = shape.isError || !isTool ? null : pendingWork(shape.content, shape.structured, shape.extra);
  // a part cannot stand for an error, for what breaks its contract, or for work that goes on
  const isWholeNeeded = shape.isError || problem !== null || suspect || pending !== null;
  const fitted = about.model === null ? undefined : fitResult(result, { ...about.model, isWholeNeeded }, exact);
  const close = (resultClass: ResultClass, why: Fault | null): ValidatedCall => ({ ...closedAs(resultClass, why, result), ...(fitted === undefined ? {} : { fitted }) });
  if (pending && (problem === null || problem.pointer === '/content')) {
    const kept = close('pending', null);
    return kept.facts === null ? kept : { ...kept, facts: { ...kept.facts, pending: filter.value(pending).value as PendingWork } };
  }
  if (problem) return close('invalid_result', fault('invalid_result', `The result cannot be relied on: ${problem.message}.`, { field: problem.pointer, details: { mayHaveRun: true } }));
  if (shape.isError) return close('tool_error', toolError(result, about.effects));
  if (suspect) return close('suspect_success', null);
  if (Object.keys(shape.extra).length === 0 && isEmptyResult(shape.content, shape.structured)) return close('ok_empty', null);
  // what was asked for is what has to fit
  const isWhole = (bytes.textBytes <= about.contextBytes || fitted?.selection?.state === 'given') && (fitted?.shortened.length ?? 0) === 0;
  const kept = close(isWhole ? 'ok' : 'stored', null);
  // a number that may be another one than was sent is no ground for a statement
  const isExact = exact === undefined ? sound.roundedAt === null : exact.length === 0;
  return isExact && received.citable !== false && others === null ? kept : { ...kept, grounded: false };
};

/** As the store takes them. */
export const textsOf = ({ stored }: ValidatedCall): ResultTexts | null => (stored === null ? null : { text: stored.text, preview: stored.preview?.text ?? null });

/** The words of a JSON-RPC error, masked, without stack and home paths, bounded. */
export const rpcWords = (message: unknown, filter: PrivacyFilter): string => redactError(filter.text(String(message)));
