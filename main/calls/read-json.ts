import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';
import { carriesExactly } from '../exact-number.ts';

/** Input complexity (design section 5): values of any kind, nesting of arrays and objects, UTF-8 bytes of the text. */
export const INPUT_LIMITS = { nodes: 4096, depth: 64, bytes: 1_048_576 } as const;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BLANK = /[ \t\n\r]*/y;
const LITERALS: readonly (readonly [string, unknown])[] = [['true', true], ['false', false], ['null', null]];

class Unreadable extends Error {
  readonly fault: Fault;
  constructor(f: Fault) {
    super(f.message);
    this.fault = f;
  }
}

/** One pass over the raw text. Nothing is rounded, merged or dropped on the way: what cannot be carried is refused with its pointer. */
class Reader {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const value = this.#value(0);
    this.#blank();
    if (this.#at < this.#text.length) this.#refuse('There is more text after the end of the JSON value.');
    return value;
  }

  get #pointer(): string {
    return this.#path.map(pointerStep).join('');
  }

  #refuse(message: string, remedy?: string): never {
    throw new Unreadable(fault('invalid_input', message, { field: this.#pointer, remedy, details: { position: this.#at } }));
  }

  #blank(): void {
    BLANK.lastIndex = this.#at;
    BLANK.exec(this.#text);
    this.#at = BLANK.lastIndex;
  }

  #value(depth: number): unknown {
    this.#blank();
    this.#nodes += 1;
    if (this.#nodes > INPUT_LIMITS.nodes) {
      throw new Unreadable(fault('input_too_complex', `The input has more than ${INPUT_LIMITS.nodes} values.`, { details: { limitNodes: INPUT_LIMITS.nodes } }));
    }
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') {
      if (depth >= INPUT_LIMITS.depth) {
        throw new Unreadable(fault('input_too_complex', `The input is nested deeper than ${INPUT_LIMITS.depth} levels.`, { field: this.#pointer, details: { limitDepth: INPUT_LIMITS.depth } }));
      }
      return first === '{' ? this.#object(depth + 1) : this.#array(depth + 1);
    }
    if (first === '"') return this.#string();
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    const token = NUMBER.exec(this.#text)?.[0];
    if (token === undefined) return this.#refuse(this.#at >= this.#text.length ? 'The JSON text ends too early.' : 'This is not JSON.');
    if (!carriesExactly(token)) this.#refuse('This number cannot be carried exactly and would be changed on the way.', 'Send it as text (in quotes), if the tool accepts text.');
    this.#at += token.length;
    return Number(token);
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    let escaped = false;
    for (; ; end++) {
      const code = this.#text.charCodeAt(end);
      if (code === 0x22) break;
      if (Number.isNaN(code)) this.#refuse('A text has no closing quote.');
      if (code < 0x20) this.#refuse('A text holds a control character that JSON does not allow.');
      if (code === 0x5c) {
        escaped = true;
        end += 1;
      }
    }
    this.#at = end + 1;
    const inner = this.#text.slice(start + 1, end);
    const text = escaped ? this.#unescape(inner) : inner;
    if (!text.isWellFormed()) this.#refuse('A text holds half of a character (an unpaired surrogate).', 'Send the whole character, or leave it out.');
    return text;
  }

  #unescape(inner: string): string {
    try {
      return JSON.parse(`"${inner}"`) as string;
    } catch {
      return this.#refuse('A text holds an escape that JSON does not know.');
    }
  }

  #array(depth: number): unknown[] {
    const out: unknown[] = [];
    this.#at += 1;
    this.#blank();
    if (this.#take(']')) return out;
    for (;;) {
      this.#path.push(out.length);
      out.push(this.#value(depth));
      this.#path.pop();
      this.#blank();
      if (this.#take(']')) return out;
      if (!this.#take(',')) this.#refuse('A list needs a comma or its closing bracket here.');
    }
  }

  #object(depth: number): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    this.#at += 1;
    this.#blank();
    if (this.#take('}')) return out;
    for (;;) {
      this.#blank();
      if (this.#text[this.#at] !== '"') this.#refuse('A name in quotes is expected here.');
      const key = this.#string();
      this.#path.push(key);
      if (Object.hasOwn(out, key)) this.#refuse('This name appears twice: readers disagree on which one counts.', 'Give the name once.');
      this.#blank();
      if (!this.#take(':')) this.#refuse('A colon is expected here.');
      const value = this.#value(depth);
      // `__proto__` is a name like any other: own data, never a prototype (F14)
      if (key === '__proto__') Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
      else out[key] = value;
      this.#path.pop();
      this.#blank();
      if (this.#take('}')) return out;
      if (!this.#take(',')) this.#refuse('An object needs a comma or its closing brace here.');
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

/**
 * Strict reading of a call's raw JSON text. Errors: invalid_input (field: JSON Pointer; duplicate name, number that a double cannot carry, unpaired
 * surrogate, not JSON), input_too_complex (bytes, nodes, depth).
 */
export const readJson = (text: string): Result<unknown, Fault> => {
  const bytes = text.length * 3 <= INPUT_LIMITS.bytes ? 0 : Buffer.byteLength(text);
  if (bytes > INPUT_LIMITS.bytes) return err(fault('input_too_complex', `The input is larger than ${INPUT_LIMITS.bytes} bytes.`, { details: { sizeBytes: bytes, limitBytes: INPUT_LIMITS.bytes } }));
  try {
    return ok(new Reader(text).read());
  } catch (error) {
    if (error instanceof Unreadable) return err(error.fault);
    throw error;
  }
};
