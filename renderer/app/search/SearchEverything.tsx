import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isKey, KEYS, listMove } from '../../parts/keys.ts';
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
  const [at, setAt] = useState(0);
  const { groups, settled, failed } = useSearchGroups(query);
  const items = groups.flatMap((group) => group.items);
  const number = Math.min(at, items.length - 1);
  const active = items[number];
  /** Enter came before the answer to what was typed */
  const [wantsFirst, setWantsFirst] = useState(false);

  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // gives the focus back to what had it
    return () => shown?.close();
  }, []);
  useLayoutEffect(() => {
    document.getElementById(optionId(id, number))?.scrollIntoView({ block: 'nearest' });
  }, [id, number, active?.id]);
  useEffect(() => {
    if (!wantsFirst || !settled) return;
    setWantsFirst(false);
    if (active !== undefined) take(dialog.current, active);
  }, [wantsFirst, settled, active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const way = listMove(event);
    if (way === 'down' || way === 'up') setAt(items.length === 0 ? 0 : (Math.min(at, items.length - 1) + (way === 'down' ? 1 : -1) + items.length) % items.length);
    else if (isKey(event, KEYS.list.open)) {
      if (settled && active !== undefined) take(dialog.current, active);
      else setWantsFirst(true);
    } else if (isKey(event, KEYS.anywhere.search)) close();
    else return;
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
          aria-activedescendant={active === undefined ? undefined : optionId(id, number)}
          aria-label={t('app.search.open')}
          placeholder={t('app.search.placeholder')}
          autoComplete="off"
          spellCheck={false}
          // the dialog is opened to write in it
          autoFocus
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
            setWantsFirst(false);
          }}
          onKeyDown={onKeyDown}
        />
        <SearchResults id={id} groups={groups} active={active?.id ?? null} onPoint={(itemId) => setAt(items.findIndex((item) => item.id === itemId))} onTake={(item) => take(dialog.current, item)} />
        {items.length === 0 && <p className={classes['none']}>{settled ? t(failed ? 'app.search.failed' : 'app.search.nothing') : t('app.search.looking')}</p>}
        <p className={classes['foot']}>{failed && items.length > 0 ? t('app.search.failed') : t('app.search.how')}</p>
        <p className={classes['spoken']} role="status">
          {query === '' ? '' : settled ? t('app.search.count', { count: items.length }) : ''}
        </p>
      </div>
    </dialog>
  );
}
