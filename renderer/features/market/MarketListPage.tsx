import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { MARKET_SORTS, type MarketSort } from '../../../shared/market-view.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { useListFilters } from '../../stores/list-filters.ts';
import { useServers } from '../../stores/servers.ts';
import { CardGrid, type CardGridHandle } from './CardGrid.tsx';
import { Facets } from './Facets.tsx';
import { isNarrowed, MARKET_FILTERS, NO_FILTERS } from './market-filters.ts';
import classes from './MarketPage.module.css';
import { cardAt, useMarketList } from './use-market-list.ts';

/** Search as you type, narrowing with counts, and the cards; `/` goes to the search, the arrow keys through the cards. */
export function MarketListPage({ fromAddress }: { readonly fromAddress: string | undefined }) {
  const { t } = useTranslation();
  const { filters, change, known } = useListFilters('market', fromAddress, MARKET_FILTERS);
  const servers = useServers((state) => state.servers);
  const version = useMemo(() => (servers.phase === 'ready' ? servers.value.map((one) => `${one.id} ${one.state === 'installing' ? '' : JSON.stringify(one.spec)}`).join() : ''), [servers]);
  const { list, want, retry } = useMarketList(known ? filters : null, version);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<CardGridHandle>(null);
  useSlash(search);

  const clear = (): void => {
    change(() => NO_FILTERS);
    search.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      if (filters.query === '') search.current?.blur();
      else change((before) => ({ ...before, query: '' }));
    } else if (event.key === 'ArrowDown') grid.current?.focusFirst();
    else if (event.key === 'Enter') {
      const first = list.phase === 'ready' ? cardAt(list.value, 0) : undefined;
      if (first !== undefined && filters.query !== '') location.hash = href.marketEntry(first.id);
    } else return;
    event.preventDefault();
  };
  return (
    <LoadedView of={list} what={t('market.loading')} rows={8} retry={retry}>
      {(value) => {
        const { total, reviewed, found, counts } = value.amounts;
        if (total === 0) {
          return (
            <div className="g-panel">
              <StateView kind="empty" page title={t('market.empty.title')} body={t('market.empty.body')} action={<ByHand />} />
            </div>
          );
        }
        return (
          <>
            <div className={classes['head']}>
              <h1 className="g-title">{t('market.title', { count: total, reviewed })}</h1>
              <TextInput
                ref={search}
                size="xs"
                className={classes['search']!}
                type="search"
                value={filters.query}
                onChange={(event) => {
                  const query = event.currentTarget.value;
                  change((before) => ({ ...before, query }));
                }}
                onKeyDown={onKeyDown}
                placeholder={t('market.search')}
                aria-label={t('market.searchLabel')}
                aria-keyshortcuts="/"
                autoComplete="off"
                spellCheck={false}
                rightSection={filters.query === '' ? <kbd className={classes['key']} aria-hidden="true">/</kbd> : undefined}
              />
              <Button component="a" href={href.import()} variant="subtle">
                {t('market.import')}
              </Button>
            </div>
            <div className={classes['body']}>
              <Facets counts={counts} picked={filters.facets} onChange={(facets) => change((before) => ({ ...before, facets }))} />
              <div className={classes['found']} data-question={value.question}>
                <div className={classes['bar']}>
                  <p className={classes['status']} role="status">
                    {t('market.shown', { count: found, total })}
                  </p>
                  {isNarrowed(filters) && found > 0 && (
                    <Button size="compact-xs" variant="subtle" onClick={clear}>
                      {t('market.clear')}
                    </Button>
                  )}
                  <NativeSelect size="xs" className={classes['sort']!} aria-label={t('market.sortLabel')} value={filters.sort} onChange={(event) => { const sort = event.currentTarget.value as MarketSort; change((before) => ({ ...before, sort })); }} data={MARKET_SORTS.map((one) => ({ value: one, label: t(`market.sort.${one}`) }))} />
                </div>
                {found === 0 ? (
                  <div className="g-panel">
                    <StateView
                      kind="empty"
                      title={t('market.noMatch')}
                      body={t('market.noMatchBody')}
                      action={
                        <>
                          <Button variant="filled" onClick={clear}>
                            {t('market.clear')}
                          </Button>
                          <ByHand />
                        </>
                      }
                    />
                  </div>
                ) : (
                  <CardGrid ref={grid} list={value} want={want} onLeave={() => search.current?.focus()} />
                )}
              </div>
            </div>
          </>
        );
      }}
    </LoadedView>
  );
}

/** The ways in for what no catalog knows. */
function ByHand() {
  const { t } = useTranslation();
  return (
    <>
      {(['npm', 'command', 'http'] as const).map((from) => (
        <Button key={from} component="a" href={href.add(from)}>
          {t(`market.byHand.${from}`)}
        </Button>
      ))}
      <Button component="a" href={href.import()}>
        {t('market.byHand.import')}
      </Button>
    </>
  );
}

/** `/` goes to the search, unless something is being written or a dialog is open. */
const useSlash = (search: { readonly current: HTMLInputElement | null }): void => {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const at = event.target instanceof Element ? event.target : null;
      if (at?.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"]') || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      search.current?.focus();
      search.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [search]);
};
