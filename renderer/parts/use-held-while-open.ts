import { useState } from 'react';

interface Held<T> {
  readonly shown: T;
  readonly holds: { readonly onDropdownOpen: () => void; readonly onDropdownClose: () => void };
}

/** Options of a menu as they were when it was opened: what the host tells of meanwhile moves none of them from under the key that is about to choose. */
export const useHeldWhileOpen = <T>(now: T): Held<T> => {
  const [held, setHeld] = useState<{ readonly value: T } | null>(null);
  return { shown: held === null ? now : held.value, holds: { onDropdownOpen: () => setHeld({ value: now }), onDropdownClose: () => setHeld(null) } };
};
