import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RankedCandidate } from '../../shared/ranking.ts';
import css from './FunnelChart.module.css';

/** Brought in by something else than its place; what a person marked is told beside the name. */
const SAID = new Set(['host_tool', 'found', 'rest']);

/** At which place a tool was ranked for the request, and what its score is made of, the weightiest first. */
export const RankedAs = ({ of: { place, score, parts, reason } }: { readonly of: RankedCandidate }): ReactElement => {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const told = Object.entries(parts).filter(([, value]) => Math.abs(value) >= 0.005).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const words = told.map(([name, value]) => `${i18n.exists(`parts.funnel.part.${name}`) ? t(`parts.funnel.part.${name}`) : name} ${number.format(value)}`);
  return (
    <span className={css['reason']}>
      {t('parts.funnel.ranked', { place: place.toLocaleString(i18n.language), score: number.format(score) })}
      {words.length === 0 ? null : t('parts.funnel.made_of', { parts: words.join(t('parts.funnel.comma')) })}
      {SAID.has(reason) ? ` · ${t(`parts.funnel.brought.${reason}`)}` : null}
    </span>
  );
};
