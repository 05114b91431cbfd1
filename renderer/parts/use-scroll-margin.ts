import { useLayoutEffect, useState, type RefObject } from 'react';

/** The px from the top of the page's content to an element in it, for a list that scrolls with its page. */
export const useScrollMargin = (element: RefObject<HTMLElement | null>): number => {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const main = document.getElementById('main');
    if (!main) return undefined;
    const measure = (): void => {
      if (element.current) setMargin(Math.round(element.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const child of main.children) observer.observe(child);
    return () => observer.disconnect();
  }, [element]);
  return margin;
};
