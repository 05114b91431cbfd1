import { Button, Menu, NativeSelect, TextInput } from '@mantine/core';
import { memo, type KeyboardEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { MARKET_SORTS, type MarketSort } from '../../../shared/market-facets.ts';
import { isKey, KEYS, listMove } from '../../parts/keys.ts';
import { StateView } from '../../parts/StateView.tsx';
import { href } from '../../routes.ts';
import { ByHand } from './ByHand.tsx';
import classes from './MarketPage.module.css';

interface MarketHeadProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly total: number;
  readonly reviewed: number;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** arrow down */
  readonly onDown: () => void;
  /** Enter with something typed */
  readonly onEnter: () => void;
  /** the focus goes elsewhere */
  readonly onLeave: () => void;
}

/** How many apps there are, the search, the ways in for what no catalog knows, the import. */
export const MarketHead = memo(function MarketHead({ ref, total, reviewed, query, onQuery, onDown, onEnter, onLeave }: MarketHeadProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (isKey(event, KEYS.leave.clear)) {
      if (query === '') event.currentTarget.blur();
      else onQuery('');
    } else if (listMove(event) === 'down') onDown();
    else if (isKey(event, KEYS.list.open)) {
      if (query !== '') onEnter();
    } else return;
    event.preventDefault();
  };
  return (
    <div className={classes['head']}>
      <h1 className="g-title">{t('market.title', { count: total, reviewed })}</h1>
      <TextInput
        ref={ref}
        size="xs"
        className={classes['search']!}
        type="search"
        value={query}
        onChange={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={onLeave}
        placeholder={t('market.search')}
        aria-label={t('market.searchLabel')}
        aria-keyshortcuts="/"
        data-page-search
        autoComplete="off"
        spellCheck={false}
        rightSection={query === '' ? <kbd className={classes['key']} aria-hidden="true">/</kbd> : undefined}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button>{t('market.addOwn')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['npm', 'command', 'http'] as const).map((from) => (
            <Menu.Item key={from} component="a" href={href.add(from)}>
              {t(`market.byHand.${from}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button component="a" href={href.import()} variant="subtle">
        {t('market.import')}
      </Button>
    </div>
  );
});

interface FoundBarProps {
  readonly found: number;
  readonly total: number;
  readonly narrowed: boolean;
  readonly sort: MarketSort;
  readonly onSort: (sort: MarketSort) => void;
  readonly onClear: () => void;
}

/** How many of all are shown, the way back to all of them, and the order. */
export const FoundBar = memo(function FoundBar({ found, total, narrowed, sort, onSort, onClear }: FoundBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['bar']}>
      <p className={classes['status']} role="status">
        {t('market.shown', { count: found, total })}
      </p>
      {narrowed && found > 0 && <ClearButton onClear={onClear} />}
      <SortChoice sort={sort} onSort={onSort} />
    </div>
  );
});

const ClearButton = memo(function ClearButton({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Button size="compact-xs" variant="subtle" onClick={onClear}>
      {t('market.clear')}
    </Button>
  );
});

const SortChoice = memo(function SortChoice({ sort, onSort }: Pick<FoundBarProps, 'sort' | 'onSort'>) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      className={classes['sort']!}
      aria-label={t('market.sortLabel')}
      value={sort}
      onChange={(event) => onSort(event.currentTarget.value as MarketSort)}
      data={MARKET_SORTS.map((one) => ({ value: one, label: t(`market.sort.${one}`) }))}
    />
  );
});

/** What is typed or ticked hides everything: said, with the way back and the ways in for what no catalog knows. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="g-panel">
      <StateView
        kind="empty"
        title={t('market.noMatch')}
        body={t('market.noMatchBody')}
        action={
          <>
            <Button variant="filled" onClick={onClear}>
              {t('market.clear')}
            </Button>
            <ByHand />
          </>
        }
      />
    </div>
  );
}
