import { useEffect, useRef } from 'react';
import { href } from '../routes.ts';
import { act } from '../stores/act.ts';
import { useSettings } from '../stores/settings.ts';
import { keptPlace } from './last-place.ts';

const STAYED_MS = 1_000;

/** A window that opens without an address opens where the last one was, or on the first steps until those are done; where one stays a moment is kept for that. */
export const useLastPlace = (hash: string): void => {
  const settings = useSettings((state) => state.settings);
  const kept = useRef<string | null>(null);
  useEffect(() => {
    if (location.hash !== '' || settings.phase === 'loading') return;
    const { onboardingDone, lastPlace } = settings.phase === 'ready' ? settings.value : { onboardingDone: true, lastPlace: '' };
    location.replace(onboardingDone ? (keptPlace(lastPlace) ?? href.market()) : href.guide());
  }, [settings, hash]);
  useEffect(() => {
    const place = keptPlace(hash);
    if (settings.phase !== 'ready' || place === null || place === (kept.current ?? settings.value.lastPlace)) return undefined;
    const timer = setTimeout(() => {
      kept.current = place;
      void act('settings:set', { lastPlace: place });
    }, STAYED_MS);
    return () => clearTimeout(timer);
  }, [settings, hash]);
};
