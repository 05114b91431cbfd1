import { memo, type ReactElement } from 'react';
import type { Tier } from '../../shared/tier.ts';
import { useWords } from '../i18n/use-words.ts';
import css from './TierBadge.module.css';

const SHAPES: Readonly<Record<Tier, ReactElement>> = {
  read_only: <path d="M5 1 9 5 5 9 1 5Z" fill="none" stroke="currentColor" strokeWidth="1.3" />,
  low_write: <path d="M5 1.2 9.2 8.6H.8Z" fill="none" stroke="currentColor" strokeWidth="1.3" />,
  high_write: <path d="M1 1h8v8H1Z" fill="currentColor" />,
  unknown: <path d="M1 1h8v8H1Z" fill="currentColor" />,
};

/** Colour, shape and word together; unknown looks like high write and says that it is unknown. */
export const TierBadge = memo(function TierBadge({ tier }: { readonly tier: Tier }): ReactElement {
  const { t } = useWords();
  return (
    <span className={css['badge']} data-tier={tier} title={t(`parts.tier.${tier}_why`)}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">{SHAPES[tier]}</svg>
      {t(`parts.tier.${tier}`)}
    </span>
  );
});
