import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import classes from './MarketPage.module.css';
import { described, sourceWords } from './source-words.ts';

/** One app: what it is, how far it may reach, whether it was reviewed by us, whether it is added already. */
export function EntryCard({ entry }: { readonly entry: MarketEntry }) {
  const { t, i18n } = useTranslation();
  const added = entry.installedServerIds.length > 0;
  return (
    <li className={classes['card']}>
      <div className={classes['who']}>
        <span className={classes['letter']} aria-hidden="true">
          {entry.name.slice(0, 1).toUpperCase()}
        </span>
        <div>
          <h2>
            <UntrustedText text={entry.name} maxLength={120} />
          </h2>
          <p>
            <UntrustedText text={sourceWords(entry, t)} />
          </p>
        </div>
      </div>
      <p className={classes['about']}>{described(entry.description, i18n.language)}</p>
      <div className={classes['foot']}>
        <TierBadge tier={entry.highestTier} />
        <Standing entry={entry} />
        <Button component="a" href={href.marketEntry(entry.id)} aria-label={t('market.detailsOf', { name: entry.name })} ml="auto" px={9} h={26}>
          {t(added ? 'market.added' : 'market.details')}
        </Button>
      </div>
    </li>
  );
}

/** The first of these that holds: withdrawn by its publisher, not connected by us, reviewed by us, connected only. */
function Standing({ entry }: { readonly entry: MarketEntry }) {
  const { t } = useTranslation();
  if (entry.withdrawn) return <span className={classes['unverified']}>{t('market.withdrawn')}</span>;
  if (!entry.verified) return <span className={classes['unverified']}>{t('market.unverified')}</span>;
  return <span className="g-muted g-small">{t(entry.reviewedTools.length > 0 ? 'market.reviewed' : 'market.connected')}</span>;
}
