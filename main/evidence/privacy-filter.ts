import type { FormCache } from '../secrets/form-cache.ts';
import { createMasker } from '../secrets/mask.ts';
import type { KnownSecret, Masker } from '../secrets/mask.ts';
import { CREDENTIAL_PATTERNS, MAY_HOLD_CREDENTIAL, maskPrivateKeys } from './credential-patterns.ts';

export interface MaskedPlace {
  /** JSON Pointer of the string (or of the object whose key it was) */
  readonly place: string;
  readonly kind: string;
  readonly count: number;
}

/** Nesting that no filter walks into; readers refuse such values before they come here. */
export const DEEPEST = 256;

/** Digits of a known value inside a longer number. */
const MIN_IN_NUMBER = 8;

const ESCAPED_IN_POINTER = /[~/]/;

export const pointerStep = (key: string | number): string =>
  typeof key === 'number' || !ESCAPED_IN_POINTER.test(key) ? `/${key}` : `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const maskOf = (kind: string): string => `[masked: ${kind}]`;

/**
 * The one privacy filter: known secret values and credential shapes are masked before anything is stored, shown or sent to a model (A25).
 * Also mends lone surrogates, so that no unpaired one is stored (F04).
 */
export class PrivacyFilter {
  readonly #masker: Masker;

  /** `known` keeps its array while nothing changes (see createMasker). */
  constructor(known: () => readonly KnownSecret[], cache?: FormCache) {
    this.#masker = createMasker(known, cache);
  }

  /** Cheap test on JSON text that the host wrote itself; false means that `value` would change nothing. */
  touchesJson(text: string): boolean {
    return MAY_HOLD_CREDENTIAL.test(text) || this.#holds(text);
  }

  text(text: string): string {
    return this.#string(text, '', []);
  }

  /** A copy with masks, where a number that is a known value becomes `[secret]`; `binary` members (base64 data of images, audio, blobs) are searched for known secrets only. */
  value(value: unknown): { readonly value: unknown; readonly masked: readonly MaskedPlace[] } {
    const masked: MaskedPlace[] = [];
    return { value: this.#walk(value, '', masked, 0), masked };
  }

  /** Pointer of the first string or key that holds a known secret; a key is named by its object, so that the pointer never echoes it. */
  findSecret(value: unknown): string | null {
    return this.#find(value, '', 0);
  }

  #holds(text: string): boolean {
    return this.#masker.find(text).length > 0;
  }

  /** The number is the value, or holds one long enough to be no accident in a count or a time. */
  #isSecretNumber(text: string): boolean {
    const digits = text.startsWith('-') ? 1 : 0;
    return this.#masker.find(text).some(({ start, end }) => end - start >= MIN_IN_NUMBER || (start === digits && end === text.length));
  }

  #number(value: number, pointer: string, masked: MaskedPlace[]): number | string {
    if (!this.#isSecretNumber(String(value))) return value;
    masked.push({ place: pointer, kind: 'secret', count: 1 });
    return '[secret]';
  }

  #find(value: unknown, pointer: string, depth: number): string | null {
    if (typeof value === 'string') return this.#holds(value) ? pointer : null;
    if (typeof value === 'number') return this.#isSecretNumber(String(value)) ? pointer : null;
    if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value) && this.#holds(key)) return pointer;
      const found = this.#find(member, pointer + pointerStep(key), depth + 1);
      if (found !== null) return found;
    }
    return null;
  }

  #walk(value: unknown, pointer: string, masked: MaskedPlace[], depth: number): unknown {
    if (typeof value === 'string') return this.#string(value, pointer, masked);
    if (typeof value === 'number') return this.#number(value, pointer, masked);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST) return maskOf('nested too deep');
    if (Array.isArray(value)) return value.map((item, i) => this.#walk(item, `${pointer}/${i}`, masked, depth + 1));
    const out: Record<string, unknown> = {};
    for (const [rawKey, member] of Object.entries(value)) {
      const key = this.#string(rawKey, pointer, masked);
      const inner = pointer + pointerStep(key);
      const isBinary = typeof member === 'string' && ((key === 'data' && 'mimeType' in value) || key === 'blob');
      const cleaned = isBinary ? this.#secretsOnly(member, inner, masked) : this.#walk(member, inner, masked, depth + 1);
      // defineProperty: a key "__proto__" stays data (F14)
      if (key === '__proto__') Object.defineProperty(out, key, { value: cleaned, enumerable: true, configurable: true, writable: true });
      else out[key] = cleaned;
    }
    return out;
  }

  #secretsOnly(text: string, pointer: string, masked: MaskedPlace[]): string {
    const count = this.#masker.find(text).length;
    if (count > 0) masked.push({ place: pointer, kind: 'secret', count });
    return count === 0 ? text : '';
  }

  #string(text: string, pointer: string, masked: MaskedPlace[]): string {
    let out = text.isWellFormed() ? text : text.toWellFormed();
    const secrets = this.#masker.find(out).length;
    if (secrets > 0) {
      out = this.#masker(out);
      masked.push({ place: pointer, kind: 'secret', count: secrets });
    }
    if (!MAY_HOLD_CREDENTIAL.test(out)) return out;
    const keys = maskPrivateKeys(out, maskOf('private_key'));
    if (keys.count > 0) masked.push({ place: pointer, kind: 'private_key', count: keys.count });
    out = keys.text;
    for (const pattern of CREDENTIAL_PATTERNS) {
      let count = 0;
      out = out.replace(pattern.expression, (match) => {
        count += 1;
        return (pattern.keep?.(match) ?? '') + maskOf(pattern.kind);
      });
      if (count > 0) masked.push({ place: pointer, kind: pattern.kind, count });
    }
    return out;
  }
}
