import type { Definition, SchemaState } from '../../shared/capability.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { AjvEngine } from './ajv-engine.ts';
import { compileSchema, type SchemaUse } from './schema-compile.ts';
import { SchemaLane, type LaneLimits } from './schema-lane.ts';
import { validatorOf, type Validator } from './validator.ts';
import { measureValue } from './value-limits.ts';

export type { Validator, Verdict } from './validator.ts';

/** Raised with every change of what the check finds, so that kept states are found anew. */
export const SCHEMA_CHECK_VERSION = 2;
export const TOO_SLOW_REASON = 'judging the schema took too long';
/** One schema: 10,000 values of an enumeration and a long description are ordinary (S08). */
const LIMITS = { nodes: 100_000, depth: 128, chars: 2_097_152 } as const;
const TIME_LIMIT_MS = 1_000;
const MAX_CACHED = 500;

interface Cached {
  readonly schema: unknown;
  readonly use: SchemaUse;
  readonly validator: Result<Validator, Fault>;
}

/** Judges the schemas of definitions in a worker, and gives validators that run in the host. */
export class SchemaChecker {
  readonly #engine = new AjvEngine();
  readonly #lane: SchemaLane;
  /** fingerprint -> the validators of that definition's schemas; the map's order is that of last use */
  readonly #cache = new Map<string, readonly Cached[]>();

  constructor(limits: Partial<LaneLimits> = {}) {
    this.#lane = new SchemaLane({ limitMs: TIME_LIMIT_MS, ...limits });
  }

  /**
   * The state of a definition's schemas (S01 to S06). Never throws and never rejects: what cannot be judged is excluded, with the place.
   * Limits in bytes, depth and number come before the worker, time and memory hold inside it.
   */
  async check(definition: Definition): Promise<SchemaState> {
    const { inputSchema, outputSchema } = definition;
    if (inputSchema === undefined && outputSchema === undefined) return { state: 'checked' };
    for (const [field, schema] of [['inputSchema', inputSchema], ['outputSchema', outputSchema]] as const) {
      const measured = measureValue(schema, LIMITS);
      if (!measured.ok) return { state: 'excluded', pointer: `/${field}`, code: 'too_large', reason: `the schema is too large: ${measured.message}` };
    }
    const state = await this.#lane.examine({
      input: inputSchema === undefined ? null : JSON.stringify(inputSchema),
      output: outputSchema === undefined ? null : JSON.stringify(outputSchema),
    });
    if (state === 'too_slow') return { state: 'excluded', pointer: '/inputSchema', code: 'too_slow', reason: TOO_SLOW_REASON };
    if (state === 'broken') return { state: 'excluded', pointer: '/inputSchema', code: 'too_large', reason: 'judging the schema used up its memory or was stopped' };
    return state;
  }

  /**
   * The validator of one schema of the definition with this fingerprint; kept for the 500 used last. Keywords named in `partly_checked` are skipped.
   * `use` input adds the missing root type object. An absent input schema accepts any object, an absent output schema anything. Error `schema_excluded` (field: JSON Pointer in the schema).
   */
  compile(schema: unknown, fingerprint: string, use: SchemaUse = 'output'): Result<Validator, Fault> {
    const known = this.#cache.get(fingerprint) ?? [];
    this.#cache.delete(fingerprint);
    let entry = known.find((cached) => cached.use === use && sameSchema(cached.schema, schema));
    if (!entry) entry = { schema, use, validator: this.#compile(schema === undefined ? use === 'output' || { type: 'object' } : schema, use) };
    this.#cache.set(fingerprint, known.includes(entry) ? known : [...known, entry]);
    if (this.#cache.size > MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value!);
    return entry.validator;
  }

  #compile(schema: unknown, use: SchemaUse): Result<Validator, Fault> {
    const measured = measureValue(schema, LIMITS);
    if (!measured.ok) return err(fault('schema_excluded', `The schema is too large: ${measured.message}.`, { field: '' }));
    const compiled = compileSchema(schema, use, this.#engine);
    if (compiled.state === 'excluded') return err(fault('schema_excluded', `The schema cannot be used: ${compiled.reason}.`, { field: compiled.pointer }));
    return ok(validatorOf(compiled.validate, this.#engine));
  }

  close(): Promise<void> {
    return this.#lane.close();
  }
}

const sameSchema = (a: unknown, b: unknown): boolean => a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
