import type { CallResult, ResultClass } from '../../shared/call.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { sha256 } from '../evidence/canonical.ts';
import type { MaskedPlace, PrivacyFilter } from '../evidence/privacy-filter.ts';
import { shorten } from '../evidence/result-preview.ts';
import { wellFormed } from '../evidence/well-formed.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { ValidatorPort } from './normalize.ts';
import { categoryOf, redactError, redactErrorValue } from './redact-error.ts';
import { measure, overBudget } from './result-budget.ts';
import { readShape, tooDeep } from './result-shape.ts';
import type { ShapedResult } from './result-shape.ts';
import { isEmptyResult, readsAsError } from './result-signs.ts';
import { classOfFailure, classOfRpcError } from './wire-failure.ts';

/** One class of design section 5 and what is kept of the result, after the privacy filter. */
export interface ValidatedCall {
  readonly stage: 'validated';
  readonly class: ResultClass;
  /** null when completed */
  readonly fault: Fault | null;
  readonly result: CallResult | null;
  /** the text that is stored, and its hash for the evidence */
  readonly stored: { readonly text: string; readonly sha256: string } | null;
  readonly grounded: boolean;
}

export interface ValidateDeps {
  readonly filter: PrivacyFilter;
  readonly validator: ValidatorPort;
  sourceOf(serverId: string): { readonly serverName: string; readonly serverVersion: string };
  /** text bytes that go into this principal's context at once; more is class `stored` */
  readonly contextBytes: number;
}

const COMPLETED: ReadonlySet<ResultClass> = new Set(['ok', 'ok_empty', 'stored', 'pending', 'suspect_success']);
export const isCompleted = (resultClass: ResultClass): boolean => COMPLETED.has(resultClass);
const GROUNDED: ReadonlySet<ResultClass> = new Set(['ok', 'ok_empty', 'stored']);

const outcome = (resultClass: ResultClass, given: Fault | null, result: CallResult | null): ValidatedCall => {
  const text = result === null ? null : JSON.stringify(result);
  // pointers and messages quote the definition, too
  const f = wellFormed(given).value as Fault | null;
  return { stage: 'validated', class: resultClass, fault: f, result, stored: text === null ? null : { text, sha256: sha256(text) }, grounded: GROUNDED.has(resultClass) };
};

const failedAs = (failure: { readonly class: ResultClass; readonly fault: Fault }, filter: PrivacyFilter): ValidatedCall =>
  outcome(failure.class, filter.value(failure.fault).value as Fault, null);

const schemaProblem = (shape: ShapedResult, candidate: Candidate, validator: ValidatorPort): ShapedResult['problem'] => {
  if (candidate.outputSchema === undefined || candidate.outputSchema === null) return null;
  if (shape.structured === null) return { pointer: '/structuredContent', message: 'the tool declares an output schema but sent no structured content' };
  const judge = validator(candidate, 'output');
  // an output schema that cannot be compiled is a fact of the definition, shown there; it does not make this result wrong
  if (!judge.ok) return null;
  const verdict = judge.value(shape.structured.value);
  return verdict.ok ? null : { pointer: `/structuredContent${verdict.pointer}`, message: `the structured content does not fit the declared output schema: ${verdict.message}` };
};

const wordsOf = (result: CallResult): string => {
  const texts = result.content.filter((block) => typeof block['text'] === 'string').map((block) => String(block['text']));
  if (texts.some((text) => text.trim() !== '')) return texts.join('\n').trim();
  return result.structuredContent === undefined ? '' : JSON.stringify(result.structuredContent);
};

const toolError = (result: CallResult, effects: boolean): Fault => {
  const words = wordsOf(result);
  const category = categoryOf(words);
  const retryable = !effects && (category === 'rate_limit' || category === 'network' || category === 'timeout');
  const message = words === '' ? 'The tool reported an error without words.' : `The tool reported an error: ${shorten(words, 500)}`;
  return fault('tool_error', message, { details: { category, retryable, mayHaveRun: true, serverWords: words } });
};

const judgeResult = (wire: Extract<WireOutcome, { kind: 'result' }>, candidate: Candidate, deps: ValidateDeps): ValidatedCall => {
  const effects = mayHaveEffects(candidate.tier);
  if (tooDeep(wire.raw)) return outcome('invalid_result', fault('invalid_result', 'The result is nested too deeply to be read.', { field: '', details: { mayHaveRun: true } }), null);
  const bytes = measure(wire.raw, wire.sizeBytes);
  const over = overBudget(bytes);
  if (over) return outcome('too_large', over, null);
  const sound = wellFormed(wire.raw);
  const shape = readShape(sound.value);
  const endless = sound.endlessAt === null ? null : { pointer: sound.endlessAt, message: 'a number is larger than can be read' };
  const problem = shape.problem ?? endless ?? (shape.isError ? null : schemaProblem(shape, candidate, deps.validator));
  const redact = shape.isError ? redactErrorValue : (value: unknown): unknown => value;
  const masked: MaskedPlace[] = [];
  const clean = (value: unknown, place: string): unknown => {
    // masked before it is cut: the first part of a secret that stands across a cut would be no known value any more
    const kept = deps.filter.value(value);
    for (const m of kept.masked) masked.push({ ...m, place: place + m.place });
    return redact(kept.value);
  };
  const content = clean(shape.content, '/content') as CallResult['content'];
  const structured = shape.structured === null ? undefined : clean(shape.structured.value, '/structuredContent');
  const extra = clean(shape.extra, '') as CallResult['extra'];
  const notes = [
    ...shape.notes,
    ...(wire.notes ?? []),
    ...(sound.mended ? ['The answer holds unpaired surrogates; they are shown as replacement marks.'] : []),
    ...(sound.roundedAt === null ? [] : [`The number at ${sound.roundedAt} is beyond 2^53; its last digits may have been rounded.`]),
  ];
  const { serverId } = candidate.capability;
  const result: CallResult = {
    content,
    ...(structured === undefined ? {} : { structuredContent: structured }),
    isError: shape.isError,
    extra,
    sizeBytes: wire.sizeBytes,
    masked: masked.map((m) => ({ ...m })),
    ...(notes.length === 0 ? {} : { notes }),
    source: { serverId, capabilityId: candidate.capability.id, ...deps.sourceOf(serverId) },
  };
  if (problem) return outcome('invalid_result', fault('invalid_result', `The result cannot be relied on: ${problem.message}.`, { field: problem.pointer, details: { mayHaveRun: true } }), result);
  if (shape.isError) return outcome('tool_error', toolError(result, effects), result);
  if (readsAsError(shape.content, shape.structured)) return outcome('suspect_success', null, result);
  if (isEmptyResult(shape.content, shape.structured)) return outcome('ok_empty', null, result);
  const kept = outcome(bytes.textBytes > deps.contextBytes ? 'stored' : 'ok', null, result);
  // a number that may be another one than was sent is no ground for a statement
  return sound.roundedAt === null ? kept : { ...kept, grounded: false };
};

/** Protocol shape, declared output schema, bytes, privacy filter: what came back becomes one class, never a guess. */
export const validate = (wire: WireOutcome, candidate: Candidate, deps: ValidateDeps): ValidatedCall => {
  const effects = mayHaveEffects(candidate.tier);
  switch (wire.kind) {
    case 'failed':
      return failedAs(classOfFailure(wire, effects), deps.filter);
    case 'rpc_error':
      return failedAs(classOfRpcError(wire.rpcCode, redactError(deps.filter.text(String(wire.message))), effects), deps.filter);
    case 'result':
      return judgeResult(wire, candidate, deps);
  }
};
