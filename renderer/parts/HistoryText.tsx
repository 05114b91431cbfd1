import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CarriedHistory } from './carried-history.ts';
import { sizeWords } from './size-words.ts';
import css from './HistoryText.module.css';

/** How much of the conversation a request carried, and what was left out of it: the model was told so, too. */
export const HistoryText = ({ of: { bytes, mostBytes, questions, results } }: { readonly of: CarriedHistory }): ReactElement => {
  const { t, i18n } = useTranslation();
  const gone = [...(questions > 0 ? [t('parts.funnel.history.questions', { count: questions })] : []), ...(results > 0 ? [t('parts.funnel.history.results', { count: results })] : [])];
  return (
    <p className={css['history']}>
      {gone.length === 0 ? t('parts.funnel.history.whole') : <strong>{t('parts.funnel.history.left_out', { what: gone.join(t('parts.funnel.history.and')) })}</strong>}
      {' '}{t('parts.funnel.history.size', { size: sizeWords(bytes, i18n.language), most: sizeWords(mostBytes, i18n.language) })}
    </p>
  );
};
