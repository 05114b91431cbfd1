import type { TFunction } from 'i18next';
import { memo, type ReactNode } from 'react';
import type { MarketCard } from '../../../shared/market-view.ts';
import { useWords } from '../../i18n/use-words.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { href } from '../../routes.ts';
import classes from './MarketPage.module.css';
import { described, initialOf, shareDone, sourceWords } from './source-words.ts';
import type { Installing } from './use-installing.ts';

interface EntryCardProps {
  readonly card: MarketCard;
  readonly installing: Installing | undefined;
  readonly inTabOrder: boolean;
}

/** Longer texts are a stranger's: the page of the app has them whole. */
const NAME = 60;
const ABOUT = 240;
const cut = (text: string, most: number): string => (text.length > most ? `${[...text].slice(0, most).join('')}…` : text);

/** One app: what it is, how far it may reach, whether it was reviewed by us, whether it is there already or cannot be. */
export const EntryCard = memo(function EntryCard({ card, installing, inTabOrder }: EntryCardProps) {
  const { t, language } = useWords();
  return (
    <>
      <div className={classes['who']}>
        <span className={classes['letter']} aria-hidden="true">
          {initialOf(card.name)}
        </span>
        <div>
          <h2>
            <a className={classes['open']} href={href.marketEntry(card.id)} tabIndex={inTabOrder ? 0 : -1} aria-label={t('market.detailsOf', { name: escapeHidden(card.name) })}>
              <UntrustedText text={cut(card.name, NAME)} />
            </a>
          </h2>
          <p>
            <UntrustedText text={cut(sourceWords(card, t), NAME)} />
          </p>
        </div>
        {presence(card, installing, t)}
      </div>
      <p className={classes['about']}>
        <UntrustedText text={cut(described(card.description, language), ABOUT)} />
      </p>
      <div className={classes['foot']}>
        <TierBadge tier={card.highestTier} />
        {standing(card, t)}
      </div>
    </>
  );
});

/** Being installed, there in an older version, there, or not to be started here. */
const presence = (card: MarketCard, installing: Installing | undefined, t: TFunction): ReactNode => {
  if (installing) {
    const share = shareDone(installing);
    return <span className={classes['there']}>{share === null ? t('market.presence.installing') : t('market.presence.installingShare', { share })}</span>;
  }
  if (card.installed.some((one) => one.update !== null)) return <span className={`${classes['there']} ${classes['loud']}`}>{t('market.presence.update')}</span>;
  if (card.installed.length > 0) return <span className={classes['there']}>{t('market.presence.installed')}</span>;
  if (card.missingProgram !== null) return <span className={classes['there']}>{t('market.presence.missing', { program: card.missingProgram })}</span>;
  return null;
};

/** The first of these that holds: withdrawn by its publisher, not connected by us, reviewed by us, connected only. */
const standing = (card: MarketCard, t: TFunction): ReactNode => {
  if (card.withdrawn) return <span className={classes['unverified']}>{t('market.withdrawn')}</span>;
  if (!card.verified) return <span className={classes['unverified']}>{t('market.unverified')}</span>;
  return <span className="g-muted g-small">{t(card.reviewed ? 'market.reviewed' : 'market.connected')}</span>;
};
