import { useEffect, useState } from 'react';
import { guidePlaces, type GuidePlace } from '../../features/help/guide-outline.ts';
import { loadGuide } from '../../features/help/load-guide.ts';

const NONE: readonly GuidePlace[] = [];

/** The headings of the guide in this language; none until its text is here. Where it cannot be had, the search goes on without it. */
export const useGuidePlaces = (language: 'en' | 'zh'): readonly GuidePlace[] => {
  const [places, setPlaces] = useState(NONE);
  useEffect(() => {
    let current = true;
    loadGuide(language).then(
      ({ texts, other, english }) => current && setPlaces(guidePlaces(texts, other, english)),
      () => current && setPlaces(NONE),
    );
    return () => {
      current = false;
    };
  }, [language]);
  return places;
};
