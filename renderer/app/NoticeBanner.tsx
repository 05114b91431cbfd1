import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Notice } from '../../shared/notice.ts';
import { useLanguage } from '../parts/use-language.ts';
import { UntrustedText } from '../parts/UntrustedText.tsx';
import classes from './Frame.module.css';
import { noticeWords } from './notice-words.ts';

/** Each stays until it is acknowledged, in this window; a later one of the same kind is shown again. */
const keyOf = (notice: Notice): string => JSON.stringify([notice.code, notice.at, notice.details]);

/** What the host met and survived since it started: a file set aside, rows left out, a secret that does not open, a step that was brought back. */
export function NoticeBanner({ notices }: { readonly notices: readonly Notice[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const shown = notices.filter((notice) => !seen.has(keyOf(notice)));
  if (shown.length === 0) return null;
  return (
    <div className={classes['banner']} role="status">
      <ul className={classes['notices']}>
        {shown.map((notice) => {
          const words = noticeWords(notice, t, language);
          return (
            <li key={keyOf(notice)}>
              <strong>{words.title}</strong> <UntrustedText text={words.body} />
            </li>
          );
        })}
      </ul>
      <Button onClick={() => setSeen(new Set(notices.map(keyOf)))}>{t('app.notice.understood')}</Button>
    </div>
  );
}
