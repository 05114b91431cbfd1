import type { Fault } from '../../shared/fault.ts';

/** What a window knows of a value the host owns. A failed reading is never shown as empty. */
export type Mirror<T> =
  | { readonly phase: 'loading'; readonly since: number }
  | { readonly phase: 'failed'; readonly fault: Fault }
  | { readonly phase: 'ready'; readonly value: T };

export const loading = (): { readonly phase: 'loading'; readonly since: number } => ({ phase: 'loading', since: Date.now() });

/** Puts one whole value in the place of its predecessor, or at the end. */
export const replaced = <T>(values: readonly T[], value: T, idOf: (value: T) => string): readonly T[] => {
  const at = values.findIndex((other) => idOf(other) === idOf(value));
  return at === -1 ? [...values, value] : values.with(at, value);
};
