import { useEffect } from 'react';
import { href } from '../routes.ts';
import { showOverlay, useOverlay } from '../stores/overlay.ts';
import { useSettings } from '../stores/settings.ts';
import { KeyReader, type KeyName } from './key-bindings.ts';

/** Where letters are written, and around them in a form that a person is about to fill in. */
const FIELD = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [data-keys="written"]';
const TAKES_KEYS = '[role="dialog"], [role="alertdialog"], dialog[open]';
const LIST_START = '#main [data-row][tabindex="0"], #main [data-card] a[tabindex="0"], #main [data-cell="name"]';

/** To the search of the page; a page without one has the search over everything. */
const find = (): void => {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>('#main [data-page-search]');
  if (field === null) return showOverlay('search');
  field.focus();
  // the words of a filter are soon written again; a question is gone on with
  if (field instanceof HTMLInputElement) field.select();
  else field.setSelectionRange(field.value.length, field.value.length);
};

/** In a conversation from question to question: into it at its newest. */
const stepInTalk = (talk: readonly HTMLElement[], arrow: 'ArrowDown' | 'ArrowUp'): void => {
  const here = talk.findIndex((one) => one.contains(document.activeElement));
  const to = here === -1 ? talk.length - 1 : Math.min(talk.length - 1, Math.max(0, here + (arrow === 'ArrowDown' ? 1 : -1)));
  talk[to]?.focus({ preventScroll: true });
  talk[to]?.scrollIntoView({ block: 'start' });
};

/** As the arrow key would in the list that has the focus; else into the page's list. */
const step = (arrow: 'ArrowDown' | 'ArrowUp'): void => {
  const at = document.activeElement;
  const talk = [...document.querySelectorAll<HTMLElement>('#main [data-exchange]')];
  if (talk.length > 0) return stepInTalk(talk, arrow);
  const inList = at?.closest('[data-row], [data-card], [data-cell]');
  if (inList) at?.dispatchEvent(new KeyboardEvent('keydown', { key: arrow, bubbles: true, cancelable: true }));
  else document.querySelector<HTMLElement>(LIST_START)?.focus();
};

const ACTS: Readonly<Record<KeyName, () => void>> = {
  'anywhere.search': () => showOverlay('search'),
  'anywhere.keys': () => showOverlay('keys'),
  'go.market': () => void (location.hash = href.market()),
  'go.servers': () => void (location.hash = href.servers()),
  'go.capabilities': () => void (location.hash = href.capabilities()),
  'go.agent': () => void (location.hash = href.agent()),
  'go.planner': () => void (location.hash = href.planner()),
  'go.approvals': () => void (location.hash = href.approvals()),
  'go.runs': () => void (location.hash = href.runs()),
  'go.settings': () => void (location.hash = href.settings()),
  'go.guide': () => void (location.hash = href.guide()),
  'go.help': () => void (location.hash = href.help()),
  'go.import': () => void (location.hash = href.import()),
  'page.find': find,
  'page.next': () => step('ArrowDown'),
  'page.previous': () => step('ArrowUp'),
};

/** Binds the keys that act wherever the focus is. They go, focus and show; nothing is decided, sent or changed by one. */
export const useKeys = (): void => {
  useEffect(() => {
    const reader = new KeyReader();
    const onKey = (event: KeyboardEvent): void => {
      const at = event.target instanceof Element ? event.target : null;
      const settings = useSettings.getState().settings;
      const name = reader.read(event, {
        writing: at?.closest(FIELD) != null,
        // also by one that was asked for and is still fetched: what is typed on is meant for it
        taken: useOverlay.getState().shown !== 'nothing' || document.querySelector(TAKES_KEYS) !== null || at?.closest('[role="menu"], [role="listbox"]') != null,
        letters: settings.phase !== 'ready' || settings.value.letterKeys,
      });
      if (name === null) return;
      event.preventDefault();
      ACTS[name]();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
};
