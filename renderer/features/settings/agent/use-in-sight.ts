import { useEffect, useRef, type RefObject } from 'react';

/** Brings what has just appeared, or changed to another `of`, into sight: it is what the person pressed for. The focus stays. */
export const useInSight = (of: unknown): RefObject<HTMLElement | null> => {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => { shown.current?.scrollIntoView({ block: 'nearest' }); }, [of]);
  return shown;
};
