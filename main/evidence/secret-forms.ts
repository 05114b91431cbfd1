export interface KnownSecret {
  readonly ref: string;
  readonly value: string;
}

/** Shorter values would hit ordinary words: they are looked for as a whole string only. */
const SHORTEST_PART = 4;
const SHORTEST_ENCODED = 8;

/** The ways in which a known value turns up in text: as it is, inside JSON text, in a URL, in base64 at each of the three alignments. */
const formsOf = (value: string): readonly string[] => {
  const forms = new Set<string>([value]);
  if (value.length < SHORTEST_PART) return [...forms];
  const json = JSON.stringify(value).slice(1, -1);
  forms.add(json);
  forms.add(JSON.stringify(json).slice(1, -1));
  if (value.length < SHORTEST_ENCODED || !value.isWellFormed()) return [...forms];
  forms.add(encodeURIComponent(value));
  for (const shift of [0, 1, 2]) {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value, 'utf8')]);
    const whole = (encoding: 'base64' | 'base64url'): string =>
      bytes.toString(encoding).slice(shift === 0 ? 0 : shift + 1, Math.floor((bytes.length * 8) / 6));
    forms.add(whole('base64'));
    forms.add(whole('base64url'));
  }
  return [...forms];
};

/** Looks for the known secrets in one string. Rebuilt only when the list of secrets changed. */
export class SecretForms {
  #known: readonly KnownSecret[] = [];
  #parts: readonly string[] = [];
  #wholes: ReadonlySet<string> = new Set();

  refresh(known: readonly KnownSecret[]): void {
    const same = known.length === this.#known.length && known.every((s, i) => s.value === this.#known[i]?.value);
    if (same) return;
    this.#known = [...known];
    const values = known.map((s) => s.value).filter((v) => v.length > 0);
    this.#wholes = new Set(values.filter((v) => v.length < SHORTEST_PART));
    this.#parts = values.filter((v) => v.length >= SHORTEST_PART).flatMap(formsOf).sort((a, b) => b.length - a.length);
  }

  get empty(): boolean {
    return this.#known.length === 0;
  }

  hit(text: string): boolean {
    if (this.#wholes.has(text)) return true;
    for (const part of this.#parts) if (text.includes(part)) return true;
    return false;
  }

  /** `text` may be JSON text of many strings: a short secret then counts when it is one of them as a whole. */
  hitInJson(text: string): boolean {
    for (const whole of this.#wholes) if (text.includes(JSON.stringify(whole))) return true;
    return this.hit(text);
  }

  mask(text: string, mask: string): { readonly text: string; readonly count: number } {
    if (this.#wholes.has(text)) return { text: mask, count: 1 };
    let out = text;
    let count = 0;
    for (const part of this.#parts) {
      if (!out.includes(part)) continue;
      const pieces = out.split(part);
      count += pieces.length - 1;
      out = pieces.join(mask);
    }
    return { text: out, count };
  }
}
