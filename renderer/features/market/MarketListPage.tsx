import { useCallback, useDeferredValue, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FacetName, MarketSort } from '../../../shared/market-facets.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { useOnceAnswered } from '../../parts/use-once-answered.ts';
import { href } from '../../routes.ts';
import { useListFilters } from '../../stores/list-filters.ts';
import { useServers } from '../../stores/servers.ts';
import { ByHand } from './ByHand.tsx';
import { CardGrid, type CardGridHandle } from './CardGrid.tsx';
import { Facets } from './Facets.tsx';
import { FoundBar, MarketHead, NoMatch } from './MarketBars.tsx';
import { isNarrowed, MARKET_FILTERS, NO_FILTERS, toggled, type MarketFilters } from './market-filters.ts';
import classes from './MarketPage.module.css';
import { isAnswerTo, useMarketList, type MarketList } from './use-market-list.ts';

/** Search as you type, narrowing with counts, and the cards; `/` goes to the search, the arrow keys through the cards. */
export function MarketListPage({ fromAddress }: { readonly fromAddress: string | undefined }) {
  const { t } = useTranslation();
  const { filters, change, known } = useListFilters('market', fromAddress, MARKET_FILTERS);
  const servers = useServers((state) => state.servers);
  const version = useMemo(() => (servers.phase === 'ready' ? servers.value.map((one) => `${one.id} ${one.state === 'installing' ? '' : JSON.stringify(one.spec)}`).join() : ''), [servers]);
  const { list, want, retry } = useMarketList(known ? filters : null, version);
  return (
    <>
      {list.phase !== 'ready' && <h1 className={`g-title ${classes['waiting']}`}>{t(list.phase === 'failed' ? 'market.failed' : 'app.page.market')}</h1>}
      <LoadedView of={list} what={t('market.loading')} rows={8} retry={retry}>
        {(value) =>
          value.extra.total === 0 ? (
            <div className="g-panel">
              <StateView kind="empty" page title={t('market.empty.title')} body={t('market.empty.body')} action={<ByHand />} />
            </div>
          ) : (
            <Loaded list={value} want={want} filters={filters} change={change} />
          )
        }
      </LoadedView>
    </>
  );
}

interface LoadedProps {
  readonly list: MarketList;
  readonly want: (first: number, last: number) => void;
  readonly filters: MarketFilters;
  readonly change: (change: (before: MarketFilters) => MarketFilters) => void;
}

/** Every part is drawn only for what it shows: a key stroke draws the field, its answer the cards, and then, when there is time, the counts. */
function Loaded({ list, want, filters, change }: LoadedProps) {
  const { total, reviewed, found } = list.extra;
  const counts = useDeferredValue(list.extra.counts);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<CardGridHandle>(null);
  // of the cards that stand there until the answer comes none is gone to or opened by a key pressed in the search
  const { ask, drop } = useOnceAnswered<'cards' | 'first'>(JSON.stringify(filters), isAnswerTo(list, filters), (what) => {
    if (what === 'cards') return grid.current?.focusFirst();
    const first = list.rowAt(0);
    if (first !== undefined) location.hash = href.marketEntry(first.id);
  });

  const toSearch = useCallback(() => search.current?.focus(), []);
  const clear = useCallback((): void => {
    change(() => NO_FILTERS);
    search.current?.focus();
  }, [change]);
  const setQuery = useCallback((query: string) => change((before) => ({ ...before, query })), [change]);
  const setSort = useCallback((sort: MarketSort) => change((before) => ({ ...before, sort })), [change]);
  const toggle = useCallback((name: FacetName, value: string) => change((before) => ({ ...before, facets: toggled(before.facets, name, value) })), [change]);
  const toCards = useCallback(() => ask('cards'), [ask]);
  const openFirst = useCallback(() => ask('first'), [ask]);
  return (
    <>
      <MarketHead ref={search} total={total} reviewed={reviewed} query={filters.query} onQuery={setQuery} onDown={toCards} onEnter={openFirst} onLeave={drop} />
      <div className={classes['body']}>
        <Facets counts={counts} picked={filters.facets} onToggle={toggle} />
        <div className={classes['found']} data-question={list.question}>
          <FoundBar found={found} total={total} narrowed={isNarrowed(filters)} sort={filters.sort} onSort={setSort} onClear={clear} />
          {found === 0 ? <NoMatch onClear={clear} /> : <CardGrid ref={grid} list={list} want={want} onLeave={toSearch} />}
        </div>
      </div>
    </>
  );
}
