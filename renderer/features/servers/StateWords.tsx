import { useWords } from '../../i18n/use-words.ts';
import type { ServerSummary } from '../../../shared/server.ts';
import { stateWords } from './server-words.ts';
import classes from './StateWords.module.css';

const SHAPES = {
  quiet: 'M3.4 8.3l3 3 6.2-6.4',
  going: 'M8 3a5 5 0 1 1-5 5',
  awaits: 'M8 3.5v5M8 11.3v.4',
  failed: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  off: 'M4 8h8',
} as const;

/** The state in words with a shape beside it; colour only repeats what the word says. */
export function StateWords({ server }: { readonly server: ServerSummary }) {
  const { t } = useWords();
  const { words, loudness } = stateWords(server, t);
  return (
    <span className={classes['state']} data-loudness={loudness}>
      <svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" aria-hidden="true">
        <path d={SHAPES[loudness]} />
      </svg>
      {words}
    </span>
  );
}
