import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import type { ServerSpec } from '../../../shared/server.ts';
import { StateView } from '../../parts/StateView.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { FullLink } from './FullLink.tsx';
import classes from './EntryDetails.module.css';
import { dayWords, described, sizeWords, sourceWords } from './source-words.ts';

/** What is known of an app before it is added: what it asks for, what was reviewed, where it comes from. */
export function EntryDetails({ entry, entryId }: { readonly entry: MarketEntry | null; readonly entryId: string }) {
  const { t, i18n } = useTranslation();
  if (entry === null) {
    return (
      <StateView
        kind="empty"
        page
        title={t('market.gone.title')}
        body={t('market.gone.body', { id: entryId })}
        action={
          <Button component="a" href={href.market()}>
            {t('market.gone.go')}
          </Button>
        }
      />
    );
  }
  return (
    <article className={classes['entry']}>
      <header className={classes['head']}>
        <div>
          <h1 className="g-title">
            <UntrustedText text={entry.name} maxLength={120} />
          </h1>
          <p className="g-muted">
            <UntrustedText text={sourceWords(entry, t)} />
          </p>
        </div>
        <Button component="a" href={href.addFromMarket(entry.id)} variant="filled">
          {t('market.add')}
        </Button>
      </header>
      <p className={classes['about']}>{described(entry.description, i18n.language)}</p>
      {entry.withdrawn && (
        <div className={classes['withdrawn']}>
          <strong>{t('market.fact.withdrawn', { on: dayWords(entry.withdrawn.since, i18n.language) })}</strong>
          <p>
            {described(entry.withdrawn.reason, i18n.language)} {entry.withdrawn.instead !== undefined && <a href={href.marketEntry(entry.withdrawn.instead)}>{t('market.fact.instead', { id: entry.withdrawn.instead })}</a>}
          </p>
        </div>
      )}
      {entry.installedServerIds.length > 0 && (
        <p>
          {t('market.addedAs')}{' '}
          {entry.installedServerIds.map((id) => (
            <a key={id} href={href.server(id)} className="g-mono">
              {id}
            </a>
          ))}
        </p>
      )}
      <dl className={classes['facts']}>
        <dt>{t('market.fact.highest')}</dt>
        <dd>
          <TierBadge tier={entry.highestTier} />
        </dd>
        <dt>{t('market.fact.comesFrom')}</dt>
        <dd>
          <Source spec={entry.spec} />
        </dd>
        <dt>{t('market.fact.review')}</dt>
        <dd>{t(entry.reviewedTools.length > 0 ? 'market.fact.reviewed' : 'market.fact.notReviewed', { by: entry.reviewer, on: dayWords(entry.checkedAt, i18n.language) })}</dd>
        <dt>{t('market.fact.connected')}</dt>
        <dd>
          {entry.observed && t('market.fact.observed', { count: entry.observed.tools, on: dayWords(entry.observed.observedAt, i18n.language), size: sizeWords(entry.observed.sizeBytes, i18n.language) })}
          {!entry.observed && t(`market.fact.unverified.${entry.unverified?.code ?? 'unknown'}`)}
        </dd>
        <dt>{t('market.fact.needs')}</dt>
        <dd>
          {entry.inputs.length === 0 ? (
            t('market.fact.needsNothing')
          ) : (
            <ul>
              {entry.inputs.map((input) => (
                <li key={input.name}>
                  {described(input.label, i18n.language)}{' '}
                  <span className="g-muted">
                    {t(input.required ? 'market.fact.inputRequired' : 'market.fact.inputOptional')}
                    {input.secret && ` · ${t('market.fact.inputSecret')}`}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </dd>
        <dt>{t('market.fact.licence')}</dt>
        <dd>{entry.licence === 'unknown' ? t('market.fact.licenceUnknown') : <UntrustedText text={entry.licence} maxLength={200} />}</dd>
        {(['homepage', 'repository'] as const).map(
          (key) =>
            entry[key] !== undefined && (
              <Link key={key} name={t(`market.fact.${key}`)} url={entry[key]} />
            ),
        )}
      </dl>
      {entry.reviewedTools.length > 0 && (
        <section>
          <h2 className="g-heading">{t('market.tools', { count: entry.reviewedTools.length })}</h2>
          <ul className={classes['tools']}>
            {entry.reviewedTools.map((tool) => (
              <li key={tool.name}>
                <code className="g-mono">
                  <UntrustedText text={tool.name} />
                </code>
                <TierBadge tier={tool.tier} />
                <span className="g-muted">{described(tool.purpose, i18n.language)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

function Source({ spec }: { readonly spec: ServerSpec }) {
  const { t } = useTranslation();
  if (spec.kind === 'builtin') return <>{t('market.fact.builtin')}</>;
  const text = spec.kind === 'npm' ? `${spec.package} ${spec.version ?? ''}` : spec.kind === 'http' ? spec.url : [spec.command, ...(spec.args ?? [])].join(' ');
  return (
    <code className="g-mono">
      <UntrustedText text={text} />
    </code>
  );
}

function Link({ name, url }: { readonly name: string; readonly url: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <FullLink url={url} />
      </dd>
    </>
  );
}
