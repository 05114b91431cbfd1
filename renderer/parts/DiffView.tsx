import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownText } from './UntrustedText.tsx';
import { wordDiff } from './word-diff.ts';
import css from './DiffView.module.css';

/** What changed between two texts of a server, word by word; null means that the text was not there. */
export const DiffView = ({ before, after }: { readonly before: string | null; readonly after: string | null }): ReactElement => {
  const { t } = useTranslation();
  const pieces = useMemo(() => wordDiff(before ?? '', after ?? ''), [before, after]);
  return (
    <div className={css['diff']}>
      {before === null ? <span className={css['note']}>{t('parts.diff.was_absent')}</span> : null}
      {after === null ? <span className={css['note']}>{t('parts.diff.is_absent')}</span> : null}
      <div className={css['text']}>
        {pieces.map((piece, i) => {
          if (piece.kind === 'same') return <ShownText key={i} text={piece.text} />;
          const word = <span className={css['spoken']}>{t(piece.kind === 'new' ? 'parts.diff.added' : 'parts.diff.removed')}</span>;
          return piece.kind === 'new' ? <ins key={i}>{word}<ShownText text={piece.text} /></ins> : <del key={i}>{word}<ShownText text={piece.text} /></del>;
        })}
      </div>
    </div>
  );
};
