import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { HostResult } from '../../shared/host-result.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { askedUri, withOwnUri } from './asked-uri.ts';
import { applyUndo, type Undone } from '../capabilities/routes/undo.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import { takeHostControl } from './host-control.ts';
import { judgedWithKey, type KnownKeys } from './idempotency-key.ts';
import { copiedNote } from './note-field.ts';
import type { PlannedCall } from './plan.ts';
import { readJson } from './read-json.ts';
import { asArguments, textsAsValues } from './repairs.ts';
import type { Repair, Repaired } from './repairs.ts';

export type Judge = (value: unknown) => { readonly ok: true } | { readonly ok: false; readonly pointer: string; readonly message: string; readonly keyword?: string; readonly expected?: string };

/** The compiled original schema of one side of a tool (SchemaChecker.compile, bound by the composer). */
export type ValidatorPort = (candidate: Candidate, side: 'input' | 'output') => Result<Judge, Fault>;

/** A call whose bytes no longer change: approval, evidence and wire all use `frozenInput`. */
export interface FrozenCall {
  readonly stage: 'frozen';
  readonly planned: PlannedCall;
  /** RFC 8785 text */
  readonly frozenInput: string;
  readonly inputBytes: number;
  /** SHA-256 over the RFC 8785 form of {binding, capabilityId, input} */
  readonly inputHash: string;
  /** for policy conditions; never sent */
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** what was taken out for the host: in the evidence, neither in the input nor in its hash */
  readonly hostResult: HostResult | null;
  /** what a resource is asked by: its own, or what its template gives with the frozen variables; null for tools and prompts */
  readonly uri: string | null;
}

/** The hash that an approval is bound to: what, in which form of the tool, with which input. */
export const inputHashOf = (capabilityId: string, bindingFingerprint: string, frozenInput: string): string =>
  sha256(`{"binding":${canonicalText(bindingFingerprint)},"capabilityId":${canonicalText(capabilityId)},"input":${frozenInput}}`);

/** Parsed input is written down first, so that both ways in are read by the one strict reader. Undefined means no arguments. */
const rawText = (input: PlannedCall['request']['input']): Result<string, Fault> => {
  if ('text' in input) return ok(input.text);
  if (input.value === undefined) return ok('{}');
  try {
    const text = JSON.stringify(input.value);
    return text === undefined ? err(fault('invalid_input', 'The input is not JSON.', { field: '' })) : ok(text);
  } catch {
    return err(fault('invalid_input', 'The input is not JSON.', { field: '' }));
  }
};

/**
 * What the rendering introduced is taken out first; where the original refuses that, the input counts as it came, but for its names. Then texts that hold
 * JSON. The first form that the original accepts is the one that is frozen.
 */
const judged = (first: Repaired, planned: PlannedCall, validator: ValidatorPort): Result<Repaired, Fault> => {
  const { candidate, request } = planned;
  const judge = validator(candidate, 'input');
  if (!judge.ok) return judge;
  const values = undone(first, request.undo, 'values');
  const verdict = judge.value(values.value);
  if (verdict.ok) return ok(values);
  const named = undone(first, request.undo, 'names');
  if (named.repairs.length !== values.repairs.length && judge.value(named.value).ok) return ok(named);
  const all = undone(first, request.undo, 'all');
  if (all.repairs.length !== values.repairs.length && judge.value(all.value).ok) return ok(all);
  for (const form of [values, named]) {
    const again = textsAsValues(form.value, candidate.inputSchema);
    if (again.repairs.length > 0 && judge.value(again.value).ok) return ok({ value: again.value, repairs: [...form.repairs, ...again.repairs] });
  }
  return err(
    fault('invalid_input', `The input does not fit the tool's schema: ${verdict.message}`, { field: verdict.pointer, remedy: 'Correct the named place and call again; nothing was sent.', ...(verdict.keyword === undefined ? {} : { details: { keyword: verdict.keyword, ...(verdict.expected === undefined ? {} : { expected: verdict.expected }) } }) }),
  );
};

const undone = (from: Repaired, undo: PlannedCall['request']['undo'], what: 'names' | 'values' | 'all'): Repaired => {
  const done: Undone[] = [];
  const value = applyUndo(from.value, undo, what, done);
  return done.length === 0 ? from : { value, repairs: [...from.repairs, ...done] };
};

const refuseSecret = (value: unknown, filter: PrivacyFilter): Result<null, Fault> => {
  const field = filter.findSecret(value);
  if (field === null) return ok(null);
  const remedy = 'Take the secret out of the input. A server gets its own secrets from its configuration.';
  return err(fault('secret_in_input', 'The input holds a secret that is configured in Gantry; it was not sent.', { field, remedy }));
};

/**
 * raw text -> frozen bytes. Only lossless, listed repairs; judged by the original schema. Errors: invalid_input, input_too_complex (both with
 * pointer), secret_in_input (pointer, never the value), schema_excluded, idempotency_key_unfit (pointer).
 */
export const normalize = (planned: PlannedCall, deps: { readonly validator: ValidatorPort; readonly filter: PrivacyFilter; readonly keys?: KnownKeys | undefined }): Result<FrozenCall, Fault> => {
  const text = rawText(planned.request.input);
  if (!text.ok) return text;
  const read = text.value.trim() === '' ? ok(null) : readJson(text.value);
  if (!read.ok) return read;
  const early = refuseSecret(read.value, deps.filter);
  if (!early.ok) return early;
  const first = withOwnUri(asArguments(read.value), planned.candidate);
  if (typeof first.value !== 'object' || first.value === null || Array.isArray(first.value)) {
    return err(fault('invalid_input', 'The input of a tool is a JSON object.', { field: '', remedy: 'Put the arguments in braces.' }));
  }
  const copied = copiedNote(first.value, planned.candidate.inputSchema);
  if (copied !== null) return err(copied);
  const taken = takeHostControl(first, planned.candidate.inputSchema, planned.request.undo);
  if (!taken.ok) return taken;
  const { control } = taken.value;
  const asked: PlannedCall = control?.refresh === true ? { ...planned, request: { ...planned.request, fresh: true } } : planned;
  const fits = judgedWithKey(taken.value.rest, asked, deps.validator, judged, deps.keys);
  if (!fits.ok) return fits;
  if (fits.value.repairs.length > 0) {
    // text that became a value may have hidden one behind its escapes
    const late = refuseSecret(fits.value.value, deps.filter);
    if (!late.ok) return late;
  }
  const uri = askedUri(planned.candidate, fits.value.value);
  if (!uri.ok) return uri;
  const frozenInput = canonicalText(fits.value.value);
  return ok({
    stage: 'frozen',
    planned: asked,
    frozenInput,
    inputBytes: Buffer.byteLength(frozenInput),
    inputHash: inputHashOf(planned.request.capabilityId, planned.candidate.bindingFingerprint, frozenInput),
    value: fits.value.value,
    repairs: fits.value.repairs,
    hostResult: control,
    uri: uri.value,
  });
};
