import { expect, test } from 'vitest';
import { LONGEST_OVER_RELOAD, MOST_DRAFTS, readTexts, textsOf, withDraft, withoutConversation, type Drafts } from './draft-texts.ts';

const NONE: Drafts = new Map();
const FILE = { name: 'a.txt', base64: 'YQ==' };

test('AP14 what is emptied is no draft; those left longest ago go first; a deleted conversation takes its own with it', () => {
  const two = withDraft(withDraft(withDraft(NONE, 'text new', 'half'), 'text c1', 'other'), 'files c1', [FILE]);
  expect([...withDraft(two, 'text new', '').keys()]).toEqual(['text c1', 'files c1']);
  expect([...withDraft(two, 'files c1', []).keys()]).toEqual(['text new', 'text c1']);
  expect([...withoutConversation(two, 'c1').keys()]).toEqual(['text new']);
  const many = Array.from({ length: MOST_DRAFTS + 5 }, (_, i) => `text c${i}`).reduce((drafts, place) => withDraft(drafts, place, 'x'), withDraft(NONE, 'text new', 'first'));
  expect(many.size).toBe(MOST_DRAFTS);
  expect(many.has('text new')).toBe(false);
});

test('AP14 over a reload go the words alone, the newest that fit, and what is no draft is read as none', () => {
  const drafts = withDraft(withDraft(withDraft(NONE, 'text old', 'x'.repeat(LONGEST_OVER_RELOAD)), 'files new', [FILE]), 'text new', '半句 “half”\n/second');
  expect([...readTexts(textsOf(drafts))]).toEqual([['text new', '半句 “half”\n/second']]);
  for (const text of [null, '', '{', '{"a":1}', '[1,["a"],["a",2],[null,"b"]]']) expect(readTexts(text).size).toBe(0);
});
