import { useCallback, useState } from 'react';
import { create } from 'zustand';
import { readTexts, textsOf, withDraft, withoutConversation, type Drafts } from './draft-texts.ts';

const KEY = 'gantry.drafts';

const stored = (): string | null => {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
};

const useDrafts = create<{ readonly kept: Drafts }>(() => ({ kept: readTexts(stored()) }));
useDrafts.subscribe(({ kept }) => {
  try {
    sessionStorage.setItem(KEY, textsOf(kept));
  } catch {
    // a session that is full or closed to pages: the draft is there until the window is loaded again
  }
});

/** Of a conversation that is deleted. */
export const forgetDrafts = (conversationId: string): void => useDrafts.setState(({ kept }) => ({ kept: withoutConversation(kept, conversationId) }));

/** As useState, for something that outlives its page. `place`: what it is, a space, and where it is written. */
export const useDraft = <T>(place: string, empty: T): readonly [T, (next: T | ((before: T) => T)) => void] => {
  const [first] = useState(empty);
  const value = useDrafts(({ kept }) => (kept.has(place) ? (kept.get(place) as T) : first));
  const set = useCallback(
    (next: T | ((before: T) => T)): void => useDrafts.setState(({ kept }) => ({ kept: withDraft(kept, place, typeof next === 'function' ? (next as (before: T) => T)(kept.has(place) ? (kept.get(place) as T) : first) : next) })),
    [place, first],
  );
  return [value, set];
};
