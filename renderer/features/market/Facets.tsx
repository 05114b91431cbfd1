import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HIGHEST, KINDS, NEEDS, type FacetCounts, type PickedFacets } from './facets.ts';
import classes from './MarketPage.module.css';

interface FacetsProps {
  readonly counts: FacetCounts;
  readonly facets: PickedFacets;
  readonly onChange: (facets: PickedFacets) => void;
}

/** Narrowing by kind, by what it needs, and by its highest tier, each with its count. */
export function Facets({ counts, facets, onChange }: FacetsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['facets']} role="group" aria-label={t('market.facets')}>
      <Facet name="kind" keys={KINDS} counts={counts.kind} picked={facets.kind} onChange={(kind) => onChange({ ...facets, kind })} />
      <Facet name="needs" keys={NEEDS} counts={counts.needs} picked={facets.needs} onChange={(needs) => onChange({ ...facets, needs })} />
      <Facet name="tier" keys={HIGHEST} counts={counts.tier} picked={facets.tier} onChange={(tier) => onChange({ ...facets, tier })} />
    </div>
  );
}

interface FacetProps<K extends string> {
  readonly name: 'kind' | 'needs' | 'tier';
  readonly keys: readonly K[];
  readonly counts: Readonly<Record<K, number>>;
  readonly picked: readonly K[];
  readonly onChange: (picked: readonly K[]) => void;
}

function Facet<K extends string>({ name, keys, counts, picked, onChange }: FacetProps<K>) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend>{t(`market.facet.${name}.title`)}</legend>
      {keys
        .filter((key) => counts[key] > 0 || picked.includes(key))
        .map((key) => (
          <div key={key} className={classes['facet']}>
            <Checkbox size="xs" label={name === 'tier' ? t(`parts.tier.${key}`) : t(`market.facet.${name}.${key}`)} checked={picked.includes(key)} onChange={() => onChange(picked.includes(key) ? picked.filter((other) => other !== key) : [...picked, key])} />
            <span aria-hidden="true">{counts[key]}</span>
          </div>
        ))}
    </fieldset>
  );
}
