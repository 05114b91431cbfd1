import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isKey, KEYS } from '../../parts/keys.ts';
import { useCommandedList } from '../../parts/use-commanded-list.ts';
import { act } from '../../stores/act.ts';
import { showOverlay, useOverlay } from '../../stores/overlay.ts';
import { useSettings } from '../../stores/settings.ts';
import classes from './SearchEverything.module.css';
import { optionId, SearchResults } from './SearchResults.tsx';
import { withChoice, type SearchItem } from './search-items.ts';
import { useSearchGroups } from './use-search-groups.ts';

/** Search everything: over the page, until something is chosen or it is left. */
export function SearchEverything() {
  const shown = useOverlay((state) => state.shown === 'search');
  return shown ? <SearchDialog /> : null;
}

const close = (): void => showOverlay('nothing');

/** What leads somewhere goes there, also where one is there already: then nothing else tells the page that it was asked for. */
const choose = (item: SearchItem): void => {
  const settings = useSettings.getState().settings;
  if (settings.phase === 'ready') void act('settings:set', { recentChoices: withChoice(settings.value.recentChoices, item) });
  item.act?.();
  if (item.to === undefined) return;
  if (location.hash !== item.to) return void (location.hash = item.to);
  const main = document.getElementById('main');
  main?.focus({ preventScroll: true });
  main?.scrollTo({ top: 0 });
};

const take = (dialog: HTMLDialogElement | null, item: SearchItem): void => {
  dialog?.close();
  close();
  choose(item);
};

/** A field that commands a list: the focus stays in the field, the arrow keys go through the list, Enter chooses. The browser's own dialog keeps the rest of the page out. */
function SearchDialog() {
  const { t } = useTranslation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const { groups, settled, failed } = useSearchGroups(query);
  const items = groups.flatMap((group) => group.items);
  const list = useCommandedList({
    words: query,
    ids: items.map((item) => item.id),
    answered: settled,
    takesFirst: true,
    loops: true,
    onTake: (itemId) => take(dialog.current, items.find((item) => item.id === itemId)!),
  });
  const number = items.findIndex((item) => item.id === list.active);

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // gives the focus back to what had it
    return () => shown?.close();
  }, []);
  useLayoutEffect(() => {
    document.getElementById(optionId(id, number))?.scrollIntoView({ block: 'nearest' });
  }, [id, number, list.active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (list.onKeyDown(event) || event.nativeEvent.isComposing || !isKey(event, KEYS.anywhere.search)) return;
    close();
    event.preventDefault();
  };
  return (
    // Escape closes it too, by the browser
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <dialog ref={dialog} className={classes['dialog']} aria-label={t('app.search.open')} onClose={close} onClick={(event) => { if (event.target === event.currentTarget) close(); }}>
      <div className={classes['box']}>
        <input
          className={classes['field']}
          type="text"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={list.told < 0 ? undefined : optionId(id, list.told)}
          aria-label={t('app.search.open')}
          placeholder={t('app.search.placeholder')}
          autoComplete="off"
          spellCheck={false}
          // the dialog is opened to write in it
          autoFocus
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={list.onBlur}
        />
        <SearchResults id={id} groups={groups} active={list.active} onPoint={list.goTo} onTake={(item) => take(dialog.current, item)} />
        {items.length === 0 && <p className={classes['none']}>{settled ? t(failed ? 'app.search.failed' : 'app.search.nothing') : t('app.search.looking')}</p>}
        <p className={classes['foot']}>{failed && items.length > 0 ? t('app.search.failed') : t('app.search.how')}</p>
        <p className={classes['spoken']} role="status">
          {query === '' ? '' : settled ? t('app.search.count', { count: items.length }) : ''}
        </p>
      </div>
    </dialog>
  );
}
