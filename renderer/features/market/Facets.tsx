import { Button } from '@mantine/core';
import { memo, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FacetCounts, PickedFacets } from '../../../shared/market-view.ts';
import { FACET_NAMES, MARKET_FACETS, type FacetName } from '../../../shared/market-facets.ts';
import { facetWords } from './source-words.ts';
import classes from './MarketPage.module.css';

interface FacetsProps {
  readonly counts: FacetCounts;
  readonly picked: PickedFacets;
  readonly onToggle: (name: FacetName, value: string) => void;
}

/** Values shown of a long facet until more are asked for. */
const FEW = 7;
const NONE: readonly string[] = [];

/** Narrowing, each value with how many the rest of the question lets through. Drawn anew at every key stroke: plain boxes, each only where its own number changed. */
export const Facets = memo(function Facets({ counts, picked, onToggle }: FacetsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['facets']} role="group" aria-label={t('market.facets')}>
      {FACET_NAMES.map((name) => (
        <Facet key={name} name={name} counts={counts[name]} picked={picked[name] ?? NONE} onToggle={onToggle} />
      ))}
    </div>
  );
});

interface FacetProps {
  readonly name: FacetName;
  readonly counts: Readonly<Record<string, number>>;
  readonly picked: readonly string[];
  readonly onToggle: (name: FacetName, value: string) => void;
}

const Facet = memo(function Facet({ name, counts, picked, onToggle }: FacetProps) {
  const { t, i18n } = useTranslation();
  const [all, setAll] = useState(false);
  const toggle = useCallback((value: string) => onToggle(name, value), [name, onToggle]);
  const values = MARKET_FACETS[name] as readonly string[];
  const long = values.length > FEW + 1;
  const shown = values.filter((value, at) => !long || all || at < FEW || picked.includes(value));
  return (
    <fieldset>
      <legend>{t(`market.facet.${name}.title`)}</legend>
      {shown.map((value) => (
        <FacetValue key={value} value={value} words={facetWords(name, value, t, i18n.language)} count={counts[value] ?? 0} checked={picked.includes(value)} onToggle={toggle} />
      ))}
      {long && (
        <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('market.facet.fewer') : t('market.facet.all', { count: values.length })}
        </Button>
      )}
    </fieldset>
  );
});

interface FacetValueProps {
  readonly value: string;
  readonly words: string;
  readonly count: number;
  readonly checked: boolean;
  readonly onToggle: (value: string) => void;
}

const FacetValue = memo(function FacetValue({ value, words, count, checked, onToggle }: FacetValueProps) {
  return (
    <label className={classes['facet']} data-none={count === 0 && !checked}>
      <input type="checkbox" checked={checked} onChange={() => onToggle(value)} />
      <span>{words}</span> <span className={classes['count']}>{count}</span>
    </label>
  );
});
