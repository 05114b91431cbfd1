import { useEffect, type RefObject } from 'react';
import type { SettingsSection } from '../../routes.ts';

/** When nothing has moved for so long, the sections above the asked one have loaded. */
const SETTLES_MS = 3_000;

/** Brings the section that the address names to the top, with the focus, and keeps it there until what is above it has loaded, or the person does something. */
export const useAskedSection = (page: RefObject<HTMLElement | null>, section: SettingsSection | null): void => {
  useEffect(() => {
    if (section === null || page.current === null) return undefined;
    let focused = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      const place = page.current?.querySelector<HTMLElement>(`[data-section="${section}"] > *`);
      if (!place) return;
      place.scrollIntoView({ block: 'start' });
      clearTimeout(timer);
      timer = setTimeout(end, SETTLES_MS);
      if (focused) return;
      focused = true;
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    };
    const observer = new ResizeObserver(show);
    observer.observe(page.current);
    const end = (): void => observer.disconnect();
    const acts = ['wheel', 'keydown', 'pointerdown'] as const;
    for (const name of acts) window.addEventListener(name, end, { once: true, passive: true });
    return () => {
      end();
      clearTimeout(timer);
      for (const name of acts) window.removeEventListener(name, end);
    };
  }, [page, section]);
};
