import type { ReactElement } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { exactTime, isoTime, relativeTime } from './times.ts';
import { useNow } from './use-now.ts';

/** Relative, with the exact time on hover and for a screen reader's copy. `at` is ms since epoch. */
export const TimeText = ({ at }: { readonly at: number }): ReactElement => {
  const { language } = useWords();
  const now = useNow(Math.abs(Date.now() - at) < 90_000 ? 1000 : 20_000);
  return (
    <time dateTime={isoTime(at)} title={exactTime(at, language)} style={{ whiteSpace: 'nowrap' }}>
      {relativeTime(at, now, language)}
    </time>
  );
};
