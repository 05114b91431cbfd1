import { randomUUID } from 'node:crypto';
import { fault, type Fault } from '../../shared/fault.ts';
import { IDEMPOTENCY_META_KEY } from '../../shared/idempotency.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';
import type { ValidatorPort } from './normalize.ts';
import type { PlannedCall } from './plan.ts';
import type { Repair, Repaired } from './repairs.ts';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Forms of one key, so that a schema with a format, a pattern or a length finds one that fits. */
const FORMS: readonly ((uuid: string) => string)[] = [
  (uuid) => uuid,
  (uuid) => uuid.replaceAll('-', ''),
  (uuid) => `gantry-${uuid}`,
  (uuid) => uuid.replaceAll('-', '').slice(0, 16),
];

// computed members define own ones, so that a field named `__proto__` stays data
const withKey = (value: unknown, field: string, key: string): unknown => (isMembers(value) ? { ...value, [field]: key } : value);

/** The input without its key: what makes two writes the same. */
export const withoutKey = (value: unknown, field: string | undefined): unknown => {
  if (field === undefined || !isMembers(value) || !Object.hasOwn(value, field)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
};

/** SHA-256 that equal writes share: over the frozen input without its key. */
export const duplicateHash = (frozenInput: string, field: string | undefined): string => sha256(field === undefined ? frozenInput : canonicalText(withoutKey(JSON.parse(frozenInput), field)));

const textAt = (value: unknown, field: string): string | null => {
  const found = isMembers(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof found === 'string' && found !== '' ? found : null;
};

/** The key that an input of this tool carries; null where the tool is not reviewed as taking one, or carries none. */
export const keyOf = ({ capability }: Pick<Candidate, 'capability'>, value: unknown): string | null => (capability.idempotency === undefined ? null : textAt(value, capability.idempotency.field));

/** Members of the request's `_meta` beside the host's own. */
export const metaOf = (candidate: Pick<Candidate, 'capability'>, value: unknown): Readonly<Record<string, string>> | undefined => {
  const key = keyOf(candidate, value);
  return key === null ? undefined : { [IDEMPOTENCY_META_KEY]: key };
};

/** What the run of a call knows of keys. `duplicate`: the hash that equal writes share. */
export interface KnownKeys {
  /** the key that an earlier call has for the same write; null: a new one is made */
  earlier(planned: PlannedCall, duplicate: string): string | null;
  /** another write carries this key already */
  isTaken(planned: PlannedCall, key: string, duplicate: string): boolean;
}

type JudgeForms = (first: Repaired, planned: PlannedCall, validator: ValidatorPort) => Result<Repaired, Fault>;

/** The validator as if the key stood in its field already. */
const asIfFilled = (validator: ValidatorPort, field: string, key: string): ValidatorPort => (candidate, side) => {
  const judge = validator(candidate, side);
  return judge.ok ? ok((value) => judge.value(withKey(value, field, key))) : judge;
};

const cannotFill = (field: string, why: string): Fault =>
  fault('idempotency_key_unfit', `This tool was reviewed as needing a key against repeats, and none can be filled in: ${why} Nothing was sent.`, {
    field,
    remedy: 'Review the tool again: name another argument for the key, or do not require one.',
  });

/**
 * Judges an input whose tool is reviewed as taking a key against repeats, with that key filled in by the host: the one that the same write of this run has
 * already, else a new one. What a person wrote there stays, unless another write of
 * the run has it; what a model or a program wrote is replaced, for the key says what the host knows of repeats.
 * Error: idempotency_key_unfit (field) where a required key fits nowhere; else as `judge`.
 */
export const judgedWithKey = (first: Repaired, planned: PlannedCall, validator: ValidatorPort, judge: JudgeForms, known?: KnownKeys): Result<Repaired, Fault> => {
  const { idempotency } = planned.candidate.capability;
  if (idempotency === undefined) return judge(first, planned, validator);
  const { field, required } = idempotency;
  const given = textAt(first.value, field);
  if (given !== null && planned.request.keepsKey === true) {
    const fits = judge(first, planned, validator);
    if (!fits.ok || known?.isTaken(planned, given, sha256(canonicalText(withoutKey(fits.value.value, field)))) !== true) return fits;
  }
  const pointer = pointerStep(field);
  const uuid = randomUUID();
  let refused: Fault | null = null;
  for (const form of FORMS) {
    const made = form(uuid);
    const fits = judge(first, planned, asIfFilled(validator, field, made));
    if (!fits.ok) {
      refused ??= fits.error;
      continue;
    }
    const bare = withoutKey(fits.value.value, field);
    const earlier = known?.earlier(planned, sha256(canonicalText(bare))) ?? null;
    const judged = earlier === null ? null : validator(planned.candidate, 'input');
    const key = earlier !== null && judged?.ok && judged.value(withKey(bare, field, earlier)).ok ? earlier : made;
    const repair: Repair = { pointer, what: given === null || given === key ? 'idempotency_key' : 'idempotency_key_replaced' };
    return ok({ value: withKey(bare, field, key), repairs: [...fits.value.repairs, repair] });
  }
  const bare = judge({ ...first, value: withoutKey(first.value, field) }, planned, validator);
  if (bare.ok && !required) return bare;
  const inField = refused?.field === pointer || bare.ok;
  return err(inField || refused === null ? cannotFill(pointer, refused?.message ?? 'the argument takes no key.') : refused);
};
