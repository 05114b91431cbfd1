import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

const FIELD = 'input:enabled:not([type="radio"], [type="hidden"]), textarea:enabled, select:enabled';

/** Who has chosen a tool writes on: the first field of its form takes the focus from the heading as soon as it is there, unless the focus went elsewhere before. Returns where the form stands. */
export const useFirstField = (heading: RefObject<HTMLElement | null>, chosen: object | null): RefObject<HTMLElement | null> => {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const section = place.current;
    if (chosen === null || section === null) return undefined;
    const seen = new MutationObserver(() => look());
    const look = (): void => {
      const field = section.querySelector<HTMLElement>(FIELD);
      if (field === null) return;
      seen.disconnect();
      if (document.activeElement === heading.current) field.focus();
    };
    seen.observe(section, { childList: true, subtree: true });
    look();
    return () => seen.disconnect();
  }, [heading, chosen]);
  return place;
};
