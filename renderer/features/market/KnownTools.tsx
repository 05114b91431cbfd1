import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import type { Observed } from '../../../shared/market-observed.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './EntryDetails.module.css';
import { described } from './source-words.ts';

const FEW = 12;

/** Every tool that is known: with the tier and purpose of our review, or said to await the person's. */
export function KnownTools({ entry, observed }: { readonly entry: MarketEntry; readonly observed: Observed | null }) {
  const { t, i18n } = useTranslation();
  const [all, setAll] = useState(false);
  const tools = useMemo(() => {
    const reviews = new Map(entry.reviewedTools.map((tool) => [tool.name, tool]));
    const names = [...new Set([...reviews.keys(), ...(observed?.tools.map(({ name }) => name) ?? [])])];
    const varying = new Map(observed?.tools.map(({ name, varies }) => [name, varies]));
    return names.map((name) => ({ name, review: reviews.get(name), varies: varying.get(name) }));
  }, [entry, observed]);
  if (tools.length === 0) return null;
  const reviewed = entry.reviewedTools.length;
  return (
    <section>
      <h2 className="g-heading">{t('market.tools', { count: tools.length, reviewed })}</h2>
      <ul className={classes['rows']}>
        {(all ? tools : tools.slice(0, FEW)).map(({ name, review, varies }) => (
          <li key={name}>
            <code className="g-mono">
              <UntrustedText text={name} maxLength={120} />
            </code>
            <TierBadge tier={review?.tier ?? 'unknown'} />
            <span className="g-muted">{review ? <UntrustedText text={described(review.purpose, i18n.language)} maxLength={300} /> : t('market.notReviewedTool')}{varies && ` ${t(`market.varies.${varies}`)}`}</span>
          </li>
        ))}
      </ul>
      {tools.length > FEW && (
        <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('market.fewerTools') : t('market.allTools', { count: tools.length })}
        </Button>
      )}
    </section>
  );
}
