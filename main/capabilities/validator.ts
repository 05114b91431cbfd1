import { BudgetExceeded, type AjvEngine, type ErrorObject, type ValidateFunction } from './ajv-engine.ts';
import { pointerToken } from './json-walk.ts';
import { measureValue, type ValueLimits } from './value-limits.ts';

/** `pointer` is the JSON Pointer of the offending place in the value; `message` says what was expected there; `keyword` of the schema and what it wants, for windows that word it themselves. */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly pointer: string; readonly message: string; readonly keyword?: string; readonly expected?: string };
export type Validator = (value: unknown) => Verdict;

const LIMITS: ValueLimits = { nodes: 1_000_000, depth: 256, chars: 67_108_864 };
const MAX_ALLOWED_SHOWN = 12;

const allowedValues = (error: ErrorObject): string => {
  const values: unknown = error.params['allowedValues'];
  if (!Array.isArray(values)) return '';
  const shown = values.slice(0, MAX_ALLOWED_SHOWN).map((value) => JSON.stringify(value));
  return `: ${shown.join(', ')}${values.length > shown.length ? ` and ${values.length - shown.length} more` : ''}`;
};

/** Where the parameters of ajv's errors have what the keyword wants. */
const EXPECTED = ['type', 'limit', 'format', 'pattern', 'multipleOf', 'allowedValue', 'allowedValues'] as const;
const LONGEST_EXPECTED = 200;

const expectedOf = ({ params }: ErrorObject): { readonly expected?: string } => {
  const value: unknown = EXPECTED.map((name) => (params as Readonly<Record<string, unknown>>)[name]).find((one) => one !== undefined);
  if (value === undefined) return {};
  const text = Array.isArray(value) ? value.slice(0, MAX_ALLOWED_SHOWN).map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
  return { expected: text.slice(0, LONGEST_EXPECTED).toWellFormed() };
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
  return { ok: false, pointer: place(last), message: `${last.message ?? last.keyword}${allowedValues(last)}${because}`, keyword: last.keyword, ...expectedOf(last) };
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
