import { Ajv, _, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Ajv04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import { ignoresRefSiblings, type Dialect } from './dialect.ts';
import { canonicalJson } from './fingerprint.ts';
import { isOneOf } from './json-equal.ts';
import { linearPattern, type LinearPattern } from './linear-pattern.ts';

export type { ErrorObject, ValidateFunction };

/** Set on every schema that a reference points to: one step each time it is entered. Honest schemas take a few a value; doubling ones, 2 to the depth. */
export const STEP_KEYWORD = 'gantry:step';
const MAX_STEPS = 500_000;
const STEPS_FREE = 10_000;
const STEPS_PER_VALUE = 32;
/** Characters of text that patterns may read in one validation: the linear engine reads about 20 a microsecond. */
const MAX_PATTERN_CHARS = 4_194_304;

/** Thrown out of a validator that has used up its budget; the caller turns it into a value. */
export class BudgetExceeded extends Error {}

interface ValidationBudget {
  steps: number;
  patternChars: number;
}

const hasDuplicates = (items: readonly unknown[]): boolean => {
  const seen = new Set<unknown>();
  for (const item of items) {
    let key: unknown = item;
    if (typeof item === 'object' && item !== null) {
      const text = canonicalJson(item);
      key = text.ok ? `json:${text.value}` : item;
    } else if (typeof item === 'string') key = `text:${item}`;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
};

/**
 * Ajv in each dialect, hardened: linear patterns, `uniqueItems` without the square, a step budget for references (they can double at every level),
 * own properties only, no data references, nothing loaded. One engine is one user's: its budget is not shared between threads.
 */
export class AjvEngine {
  readonly #compilers = new Map<Dialect, Ajv>();
  readonly #budget: ValidationBudget = { steps: 0, patternChars: 0 };

  /** May throw what Ajv throws. `isolated`: the schema names itself ($id), and must not be found by the next one. */
  compile(dialect: Dialect, schema: object, isolated: boolean): ValidateFunction {
    if (isolated) return this.#create(dialect).compile(schema);
    let ajv = this.#compilers.get(dialect);
    if (!ajv) {
      ajv = this.#create(dialect);
      this.#compilers.set(dialect, ajv);
    }
    try {
      return ajv.compile(schema);
    } finally {
      ajv.removeSchema(schema);
    }
  }

  /** `nodes`: how many values there are in `value`. Throws BudgetExceeded. */
  run(validate: ValidateFunction, value: unknown, nodes: number): boolean {
    this.#budget.steps = Math.min(MAX_STEPS, STEPS_FREE + STEPS_PER_VALUE * nodes);
    this.#budget.patternChars = MAX_PATTERN_CHARS;
    return validate(value) === true;
  }

  #pattern(source: string): Pick<LinearPattern, 'test' | 'toString'> {
    const linear = linearPattern(source);
    if (!linear.ok) throw new Error(linear.reason);
    return {
      toString: linear.pattern.toString,
      test: (text) => {
        this.#budget.patternChars -= text.length;
        if (this.#budget.patternChars < 0) throw new BudgetExceeded('too much text to judge by patterns');
        return linear.pattern.test(text);
      },
    };
  }

  #create(dialect: Dialect): Ajv {
    const options: Options = {
      strict: false,
      logger: false,
      validateSchema: false,
      ownProperties: true,
      inlineRefs: false,
      multipleOfPrecision: 9,
      ignoreKeywordsWithRef: ignoresRefSiblings(dialect),
      code: { optimize: false, regExp: Object.assign((source: string) => this.#pattern(source), { code: 'gantry' }) },
    };
    const ajv = construct(dialect, options);
    addFormats.default(ajv as never);
    if (dialect !== 'draft-04') ajv.removeKeyword('id');
    if (dialect === 'draft-06') for (const keyword of ['if', 'then', 'else']) ajv.removeKeyword(keyword);
    ajv.removeKeyword('uniqueItems');
    ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      error: { message: 'must NOT have duplicate items' },
      validate: (unique: boolean, items: readonly unknown[]) => !unique || !hasDuplicates(items),
    });
    // Ajv compares with a library that calls members named toString and valueOf, and takes one named constructor for the class
    for (const keyword of ['enum', 'const']) ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword: 'enum',
      error: { message: 'must be equal to one of the allowed values', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
      compile: (allowed: readonly unknown[]) => isOneOf(allowed),
    });
    ajv.addKeyword({
      keyword: 'const',
      error: { message: 'must be equal to constant', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
      compile: (wanted: unknown) => isOneOf([wanted]),
    });
    ajv.addKeyword({
      keyword: STEP_KEYWORD,
      before: '$ref',
      errors: false,
      validate: () => {
        this.#budget.steps -= 1;
        if (this.#budget.steps < 0) throw new BudgetExceeded('too many steps to judge this value');
        return true;
      },
    });
    return ajv;
  }
}

const construct = (dialect: Dialect, options: Options): Ajv => {
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(options) as unknown as Ajv;
    case '2019-09':
      return new Ajv2019(options) as unknown as Ajv;
    case 'draft-04':
      return new Ajv04.default(options) as unknown as Ajv;
    case 'draft-06':
      return new Ajv(options).addMetaSchema(draft06);
    case 'draft-07':
      return new Ajv(options);
  }
};
