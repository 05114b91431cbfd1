import { useEffect, useRef, type RefObject } from 'react';

/**
 * The focus of a form that opens within a section: into its first field, and back to the button that opened it (`data-opens`, of the same name) when it closes; to the first
 * that opens one where that button is not there. `open`: the name of the form that is open.
 */
export const useFormFocus = (section: RefObject<HTMLElement | null>, open: string | null): void => {
  const was = useRef(open);
  useEffect(() => {
    const before = was.current;
    was.current = open;
    if (before === open) return;
    if (open === null) {
      const openers = [...(section.current?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])];
      (openers.find((one) => one.dataset['opens'] === before) ?? openers[0])?.focus();
      return;
    }
    const form = section.current?.querySelector('form');
    form?.scrollIntoView({ block: 'nearest' });
    form?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [section, open]);
};
