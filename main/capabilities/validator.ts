import { BudgetExceeded, type AjvEngine, type ErrorObject, type ValidateFunction } from './ajv-engine.ts';
import { pointerToken } from './json-walk.ts';
import { measureValue, type ValueLimits } from './value-limits.ts';

/** `pointer` is the JSON Pointer of the offending place in the value; `message` says what was expected there. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly pointer: string; readonly message: string };
export type Validator = (value: unknown) => Verdict;

const LIMITS: ValueLimits = { nodes: 1_000_000, depth: 256, chars: 67_108_864 };
const MAX_ALLOWED_SHOWN = 12;

const allowedValues = (error: ErrorObject): string => {
  const values: unknown = error.params['allowedValues'];
  if (!Array.isArray(values)) return '';
  const shown = values.slice(0, MAX_ALLOWED_SHOWN).map((value) => JSON.stringify(value));
  return `: ${shown.join(', ')}${values.length > shown.length ? ` and ${values.length - shown.length} more` : ''}`;
};

const place = (error: ErrorObject): string => {
  const params = error.params as Readonly<Record<string, unknown>>;
  const member = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof member === 'string' ? `${error.instancePath}/${pointerToken(member)}` : error.instancePath;
};

/** The outermost failure names the place; the branches that led to it say why. */
const describe = (errors: readonly ErrorObject[]): Verdict => {
  const last = errors.at(-1);
  if (!last) return { ok: false, pointer: '', message: 'does not satisfy the schema' };
  const branches = errors.slice(0, -1).slice(0, 4).map((error) => `${place(error) || '/'} ${error.message ?? error.keyword}`);
  const because = branches.length > 0 ? ` (${branches.join('; ')})` : '';
  return { ok: false, pointer: place(last), message: `${last.message ?? last.keyword}${allowedValues(last)}${because}` };
};

/** A compiled schema as a total function: limits, budgets and the stack end as a verdict, never as a throw. */
export const validatorOf = (validate: ValidateFunction, engine: AjvEngine): Validator => (value) => {
  const measured = measureValue(value, LIMITS);
  if (!measured.ok) return { ok: false, pointer: '', message: measured.message };
  try {
    return engine.run(validate, value, measured.nodes) ? { ok: true } : describe(validate.errors ?? []);
  } catch (error) {
    if (error instanceof BudgetExceeded) return { ok: false, pointer: '', message: error.message };
    if (error instanceof RangeError) return { ok: false, pointer: '', message: 'too deep to judge' };
    throw error;
  }
};
