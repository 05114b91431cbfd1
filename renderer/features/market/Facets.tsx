import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FACET_NAMES, MARKET_FACETS, type FacetCounts, type FacetName, type PickedFacets } from '../../../shared/market-view.ts';
import { facetWords } from './source-words.ts';
import { toggled } from './market-filters.ts';
import classes from './MarketPage.module.css';

interface FacetsProps {
  readonly counts: FacetCounts;
  readonly picked: PickedFacets;
  readonly onChange: (facets: PickedFacets) => void;
}

/** Values shown of a long facet until more are asked for. */
const FEW = 7;

/** Narrowing, each value with how many the rest of the question lets through. */
export function Facets({ counts, picked, onChange }: FacetsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['facets']} role="group" aria-label={t('market.facets')}>
      {FACET_NAMES.map((name) => (
        <Facet key={name} name={name} counts={counts[name]} picked={picked[name] ?? []} onToggle={(value) => onChange(toggled(picked, name, value))} />
      ))}
    </div>
  );
}

interface FacetProps {
  readonly name: FacetName;
  readonly counts: Readonly<Record<string, number>>;
  readonly picked: readonly string[];
  readonly onToggle: (value: string) => void;
}

function Facet({ name, counts, picked, onToggle }: FacetProps) {
  const { t, i18n } = useTranslation();
  const [all, setAll] = useState(false);
  const values = MARKET_FACETS[name] as readonly string[];
  const long = values.length > FEW + 1;
  const shown = values.filter((value, at) => !long || all || at < FEW || picked.includes(value));
  return (
    <fieldset>
      <legend>{t(`market.facet.${name}.title`)}</legend>
      {shown.map((value) => {
        const count = counts[value] ?? 0;
        return (
          <Checkbox
            key={value}
            size="xs"
            className={classes['facet']!}
            data-none={count === 0 && !picked.includes(value)}
            label={
              <>
                <span>{facetWords(name, value, t, i18n.language)}</span> <span className={classes['count']}>{count}</span>
              </>
            }
            checked={picked.includes(value)}
            onChange={() => onToggle(value)}
          />
        );
      })}
      {long && (
        <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('market.facet.fewer') : t('market.facet.all', { count: values.length })}
        </Button>
      )}
    </fieldset>
  );
}
