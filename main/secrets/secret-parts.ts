import { afterGap, beforeGap, beginsLine, endsLine } from './line-gap.ts';
import { MIN_PART, type WrappedForm } from './secret-forms.ts';

/** Characters that are looked up; every eighth place of a form is indexed, so that each 15 of its characters hold one of them. */
export const GRAM = 8;

interface Place {
  readonly ref: string;
  readonly form: WrappedForm;
  readonly offset: number;
}
export type PartIndex = Map<string, Place[]>;

/** Same characters at several places (`aaaa…`): more are of no use. */
const MOST_PLACES = 8;

export const indexParts = (index: PartIndex, ref: string, form: WrappedForm, seen: (gram: string) => void): void => {
  for (let offset = 0; offset + GRAM <= form.text.length; offset += GRAM) {
    const gram = form.text.slice(offset, offset + GRAM);
    const places = index.get(gram) ?? [];
    if (places.length === 0) index.set(gram, places);
    if (places.length < MOST_PLACES) places.push({ ref, form, offset });
    seen(gram);
  }
};

const isLineBreak = (code: number): boolean => code === 0x0a || code === 0x0d;

interface Extent {
  readonly start: number;
  readonly end: number;
  /** which characters of the form these are */
  readonly from: number;
  readonly to: number;
}

/** As far as text and form go together from a common gram on, in both directions, over line breaks that the form does not have and without those that only it has. */
const extentOf = (text: string, at: number, { form: { text: form }, offset }: Place): Extent => {
  let end = at + GRAM;
  let to = offset + GRAM;
  for (let next = end; to < form.length; ) {
    const want = form.charCodeAt(to);
    if (next < text.length && text.charCodeAt(next) === want) {
      next += 1;
      to += 1;
      end = next;
      continue;
    }
    if (isLineBreak(want)) {
      to += 1;
      continue;
    }
    const jump = afterGap(text, next, want, isLineBreak(form.charCodeAt(to - 1)));
    if (jump < 0) break;
    next = jump;
  }
  let start = at;
  let from = offset;
  for (let before = start; from > 0; ) {
    const want = form.charCodeAt(from - 1);
    if (before > 0 && text.charCodeAt(before - 1) === want) {
      before -= 1;
      from -= 1;
      start = before;
      continue;
    }
    if (isLineBreak(want)) {
      from -= 1;
      continue;
    }
    const jump = beforeGap(text, before, want, isLineBreak(form.charCodeAt(from)));
    if (jump < 0) break;
    before = jump;
  }
  return { start, end, from, to };
};

/** A whole form, wrapped; or a part that ends where the form, a line or the text does: what a line break or a cut has left of it. Other common words are no secret. */
const isSecret = (text: string, form: WrappedForm, { start, end, from, to }: Extent): boolean => {
  if (from === 0 && to === form.text.length) return true;
  if (to - Math.max(from, form.openLength) < MIN_PART) return false;
  return (from === 0 || beginsLine(text, start)) && (to === form.text.length || endsLine(text, end));
};

/** Looks for parts in one text, from left to right. */
export class PartSearch {
  readonly #text: string;
  readonly #index: PartIndex;
  /** up to where each form was followed already: keeps hostile repetitions linear */
  readonly #followed = new Map<WrappedForm, number>();

  constructor(text: string, index: PartIndex) {
    this.#text = text;
    this.#index = index;
  }

  at(at: number): { readonly ref: string; readonly start: number; readonly end: number } | null {
    for (const place of this.#index.get(this.#text.slice(at, at + GRAM)) ?? []) {
      if (at < (this.#followed.get(place.form) ?? 0)) continue;
      const extent = extentOf(this.#text, at, place);
      this.#followed.set(place.form, extent.end);
      if (isSecret(this.#text, place.form, extent)) return { ref: place.ref, start: extent.start, end: extent.end };
    }
    return null;
  }
}
