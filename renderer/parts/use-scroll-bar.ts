import { useLayoutEffect, type RefObject } from 'react';

/** Writes the px that the scroll bar of `scroller` takes now, 0 where there is none or it lies above the rows, as `--scroll-bar` at the element around it. */
export const useScrollBar = (scroller: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const element = scroller.current;
    const around = element?.parentElement;
    if (!element || !around) return undefined;
    const measure = (): void => around.style.setProperty('--scroll-bar', `${element.offsetWidth - element.clientWidth}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [scroller]);
};
