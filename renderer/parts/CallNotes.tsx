import type { ReactElement } from 'react';
import type { CallProgress } from '../../shared/call.ts';
import type { LogLine } from '../../shared/server.ts';
import { useWords } from '../i18n/use-words.ts';
import { href } from '../routes.ts';
import css from './CallNotes.module.css';
import { progressWords } from './progress-words.ts';
import { clockTime, isoTime } from './times.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** How far a call has come, as the server says it: an amount, of a total where the server tells one. */
export const ProgressLine = ({ progress }: { readonly progress: CallProgress }): ReactElement => {
  const { t, language } = useWords();
  const words = progressWords(progress, language);
  const said = progress.message === undefined || progress.message === '' ? null : progress.message;
  return (
    <p className={css['progress']}>
      {words.key === 'of' ? (
        <span className={css['bar']} role="progressbar" aria-label={t('parts.progress.label')} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(words.share * 100)} aria-valuetext={t('parts.progress.of', words)}>
          <span style={{ width: `${Math.round(words.share * 100)}%` }} />
        </span>
      ) : null}
      <span className={css['amount']}>{t(`parts.progress.${words.key}`, words)}</span>
      {said === null ? null : <span>{t('parts.progress.says')}<UntrustedText text={said} maxLength={200} /></span>}
    </p>
  );
};

/** What a server logs while a call runs; it may be of anything that the server does. */
export const LogTail = ({ serverId, lines }: { readonly serverId: string; readonly lines: readonly LogLine[] }): ReactElement | null => {
  const { t } = useWords();
  if (lines.length === 0) return null;
  return (
    <div className={css['log']}>
      <p>{t('parts.progress.logs')} <a href={href.server(serverId)}>{t('parts.progress.all_logs')}</a></p>
      <ol aria-label={t('parts.progress.logs')}>
        {lines.map((line) => <li key={line.seq}><time dateTime={isoTime(line.at)}>{clockTime(line.at)}</time><UntrustedText text={line.text} maxLength={300} /></li>)}
      </ol>
    </div>
  );
};
