import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import { MARKET_CATEGORIES } from '../../../shared/market-categories.ts';
import type { Observed } from '../../../shared/market-observed.ts';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { FullLink } from './FullLink.tsx';
import classes from './EntryDetails.module.css';
import { sizeWords } from '../../parts/size-words.ts';
import { dayWords, described } from './source-words.ts';

/** The facts, each with when and by whom it was found. */
export function EntryFacts({ entry, observed }: { readonly entry: MarketEntry; readonly observed: Observed | null }) {
  const { t, i18n } = useTranslation();
  const lang = i18n.language;
  const reviewed = entry.reviewedTools.length;
  const measured = entry.installed.filter((app) => app.sizeBytes !== null);
  return (
    <dl className={classes['facts']}>
      <Fact name={t('market.fact.highest')}>
        <TierBadge tier={entry.highestTier} />
      </Fact>
      <Fact name={t('market.fact.review')}>
        {t(reviewed === 0 ? 'market.fact.notReviewed' : observed && reviewed < observed.tools.length ? 'market.fact.partlyReviewed' : 'market.fact.reviewed', { by: entry.reviewer, on: dayWords(entry.checkedAt, lang), count: reviewed, total: observed?.tools.length ?? reviewed })}
      </Fact>
      <Fact name={t('market.fact.connected')}>
        {observed ? (
          <>
            {t('market.fact.observed', { count: observed.tools.length, on: dayWords(observed.observedAt, lang), platform: observed.platform })}{' '}
            <span className="g-muted">
              <UntrustedText text={`${observed.server.name} ${observed.server.version} · MCP ${observed.protocolVersion}`} maxLength={160} />
            </span>
          </>
        ) : (
          <>
            <strong>{t('market.fact.unverifiedLead')}</strong> {t(`market.fact.unverified.${entry.unverified?.code ?? 'unknown'}`)}
          </>
        )}
      </Fact>
      {(observed || measured.length > 0) && (
        <Fact name={t('market.fact.size')}>
          {measured.map((app) => (
            <p key={app.serverId}>
              {t('market.fact.sizeHere', { size: sizeWords(app.sizeBytes ?? 0, lang), id: app.serverId })}
            </p>
          ))}
          {observed && <p className={measured.length > 0 ? 'g-muted' : undefined}>{t('market.fact.sizeObserved', { size: sizeWords(observed.sizeBytes, lang), version: observed.version })}</p>}
          {observed && observed.scriptsNotRun.length > 0 && (
            <p className="g-muted">
              {t('market.fact.scripts')} <UntrustedText text={observed.scriptsNotRun.join(', ')} maxLength={160} />
            </p>
          )}
        </Fact>
      )}
      <Fact name={t('market.facet.category.title')}>
        {entry.categories.map((name, at) => (
          <span key={name}>
            {at > 0 && ' · '}
            <a href={href.market(`category=${name}`)}>{described(MARKET_CATEGORIES[name], lang)}</a>
          </span>
        ))}
      </Fact>
      <Fact name={t('market.fact.licence')}>{entry.licence === 'unknown' ? t('market.fact.licenceUnknown') : <UntrustedText text={entry.licence} maxLength={200} />}</Fact>
      {(['homepage', 'repository'] as const).map(
        (key) =>
          entry[key] !== undefined && (
            <Fact key={key} name={t(`market.fact.${key}`)}>
              <FullLink url={entry[key]} />
            </Fact>
          ),
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
