import { pointerStep } from './privacy-filter.ts';

export interface WellFormed {
  readonly value: unknown;
  /** an unpaired surrogate was replaced, in a text or a name */
  readonly mended: boolean;
  /** JSON Pointer of the first number that no double carries (1e400); null in `value` */
  readonly endlessAt: string | null;
  /** JSON Pointer of the first whole number beyond 2^53, which reading may have rounded */
  readonly roundedAt: string | null;
}

/** What parsed JSON needs before it can be hashed and stored: paired surrogates and finite numbers (F04). The same object where nothing changes. Recurses: bound the depth before. */
export const wellFormed = (root: unknown): WellFormed => {
  let mended = false;
  let endlessAt: string | null = null;
  let roundedAt: string | null = null;
  const text = (given: string): string => {
    if (given.isWellFormed()) return given;
    mended = true;
    return given.toWellFormed();
  };
  const walk = (value: unknown, at: string): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        endlessAt ??= at;
        return null;
      }
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) roundedAt ??= at;
      return value;
    }
    if (typeof value !== 'object' || value === null) return value;
    let changed = false;
    if (Array.isArray(value)) {
      const items = value.map((item, i) => {
        const kept = walk(item, `${at}/${i}`);
        changed ||= kept !== item;
        return kept;
      });
      return changed ? items : value;
    }
    const members = Object.entries(value).map(([rawKey, member]) => {
      const key = text(rawKey);
      const kept = walk(member, at + pointerStep(key));
      changed ||= key !== rawKey || kept !== member;
      return [key, kept] as const;
    });
    return changed ? Object.fromEntries(members) : value;
  };
  return { value: walk(root, ''), mended, endlessAt, roundedAt };
};
