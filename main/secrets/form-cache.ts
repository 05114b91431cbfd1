import { formSteps, secretForms, type SecretForms } from './secret-forms.ts';

/** Work between two breaths of the event loop. */
const SLICE_MS = 8;

const breathe = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/**
 * The forms of known values, made once for every masker that shares it: those of a PEM key cost 20 ms. Made ahead in slices where there is time
 * (`prepare`), else when they are needed: a value is never searched for without them.
 */
export class FormCache {
  readonly #forms = new Map<string, SecretForms>();

  /** Number of values whose forms are at hand. */
  get size(): number {
    return this.#forms.size;
  }

  of(value: string): SecretForms {
    const forms = this.#forms.get(value) ?? secretForms(value);
    this.#forms.set(value, forms);
    return forms;
  }

  async prepare(values: readonly string[]): Promise<void> {
    let begun = performance.now();
    for (const value of values) {
      const steps = this.#forms.has(value) ? null : formSteps(value);
      for (let step = steps?.next(); step !== undefined; step = step.done ? undefined : steps!.next()) {
        if (step.done && !this.#forms.has(value)) this.#forms.set(value, step.value);
        if (performance.now() - begun < SLICE_MS) continue;
        await breathe();
        begun = performance.now();
      }
    }
  }

  /** Forgets the forms of all other values. */
  keep(values: readonly string[]): void {
    const kept = new Set(values);
    for (const value of this.#forms.keys()) if (!kept.has(value)) this.#forms.delete(value);
  }
}
