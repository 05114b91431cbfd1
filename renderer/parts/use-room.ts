import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

const LEAST = 216;
/** the grid's own lower border */
const BORDER = 2;

/** The px from an element's top to the lower end of the page, at least 216: with that as its height the page itself need not scroll. */
export const useRoom = (element: RefObject<HTMLElement | null>): number => {
  const [room, setRoom] = useState(LEAST);
  useLayoutEffect(() => {
    const main = element.current?.closest<HTMLElement>('main');
    const page = main?.lastElementChild;
    if (!main || !page) return;
    const measure = (): void => {
      if (element.current === null) return;
      const above = element.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop;
      setRoom(Math.max(LEAST, Math.floor(main.clientHeight - above - Number.parseFloat(getComputedStyle(page).paddingBottom) - BORDER)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(main);
    // what stands above grows and shrinks with its content
    for (const part of main.children) observer.observe(part);
    for (let up = element.current?.parentElement; up && up !== page; up = up.parentElement) for (const sibling of up.parentElement?.children ?? []) if (sibling !== up) observer.observe(sibling);
    return () => observer.disconnect();
  }, [element]);
  return room;
};
