import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarketEntry } from '../../../shared/market.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { href } from '../../routes.ts';
import { StateView } from '../../parts/StateView.tsx';
import { useRequest } from '../../stores/use-request.ts';
import { useServers } from '../../stores/servers.ts';
import { EntryCard } from './EntryCard.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import { Facets } from './Facets.tsx';
import { facetCounts, NO_FACETS, picked, type PickedFacets } from './facets.ts';
import classes from './MarketPage.module.css';

/** Apps that can be added. Being listed grants nothing. */
export function MarketPage({ entryId }: { readonly entryId: string | null }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const servers = useServers((state) => state.servers);
  const { state, reload } = useRequest('market:search', { query: '' }, servers.phase === 'ready' ? servers.value.length : 0);
  return (
    <LoadedView of={state} what={t('market.loading')} rows={8} retry={reload}>
      {({ entries }) => {
        if (entryId !== null) return <EntryDetails entry={entries.find((entry) => entry.id === entryId) ?? null} entryId={entryId} />;
        return entries.length === 0 ? (
          <div className="g-panel">
            <StateView kind="empty" title={t('market.empty.title')} body={t('market.empty.body')} />
          </div>
        ) : (
          <Market entries={entries} query={query} onQuery={setQuery} />
        );
      }}
    </LoadedView>
  );
}

function Market({ entries, query, onQuery }: { readonly entries: readonly MarketEntry[]; readonly query: string; readonly onQuery: (query: string) => void }) {
  const { t } = useTranslation();
  const [facets, setFacets] = useState<PickedFacets>(NO_FACETS);
  const counts = useMemo(() => facetCounts(entries), [entries]);
  const shown = useMemo(() => picked(entries, query, facets), [entries, query, facets]);
  const reviewed = entries.filter((entry) => entry.reviewedTools.length > 0).length;
  return (
    <>
      <div className={classes['head']}>
        <h1 className="g-title">{t('market.title', { count: entries.length, reviewed })}</h1>
        <TextInput size="xs" className={classes['search']} value={query} onChange={(event) => onQuery(event.currentTarget.value)} placeholder={t('market.search')} aria-label={t('market.searchLabel')} />
        <Button component="a" href={href.import()} variant="subtle">
          {t('market.import')}
        </Button>
      </div>
      <div className={classes['body']}>
        <Facets counts={counts} facets={facets} onChange={setFacets} />
        <div>
          <p className={classes['status']} role="status">
            {shown.length === entries.length ? '' : t('market.shown', { count: shown.length, total: entries.length })}
          </p>
          {shown.length === 0 ? (
            <div className="g-panel">
              <StateView
                kind="empty"
                title={t('market.noMatch')}
                body={t('market.noMatchBody')}
                action={
                  <Button
                    onClick={() => {
                      onQuery('');
                      setFacets(NO_FACETS);
                    }}
                  >
                    {t('market.clear')}
                  </Button>
                }
              />
            </div>
          ) : (
            <ul className={classes['cards']}>
              {shown.map((entry) => (
                <EntryCard key={entry.id} entry={entry} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </>
  );
}
