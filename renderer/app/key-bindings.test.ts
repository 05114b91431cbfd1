import { expect, test } from 'vitest';
import { KEYS, listMove } from '../parts/keys.ts';
import { KeyReader, type Around, type KeyPress } from './key-bindings.ts';

const free: Around = { writing: false, taken: false, letters: true };
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({ key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, repeat: false, defaultPrevented: false, timeStamp: 0, ...more });
const mod = (key: string): KeyPress => press(key, { ctrlKey: true });

test('U90 a chord acts from anywhere, also while writing; a letter acts only where nothing is written', () => {
  const reader = new KeyReader();
  expect(reader.read(mod('k'), { ...free, writing: true })).toBe('anywhere.search');
  expect(reader.read(press('K', { metaKey: true }), free)).toBe('anywhere.search');
  expect([reader.read(press('?'), free), reader.read(press('/'), free), reader.read(press('j'), free)]).toEqual(['anywhere.keys', 'page.find', 'page.next']);
  for (const key of ['?', '/', 'j', 'k']) expect(reader.read(press(key), { ...free, writing: true })).toBeNull();
});

test('U90 two keys go to a page, when the second comes soon after the first and nothing in between', () => {
  const reader = new KeyReader();
  expect(reader.read(press('g'), free)).toBeNull();
  expect(reader.read(press('s', { timeStamp: 900 }), free)).toBe('go.servers');
  expect(reader.read(press('s', { timeStamp: 950 }), free)).toBeNull();
  reader.read(press('g', { timeStamp: 1_000 }), free);
  expect(reader.read(press('s', { timeStamp: 3_000 }), free)).toBeNull();
  reader.read(press('g', { timeStamp: 4_000 }), free);
  reader.read(press('x', { timeStamp: 4_100 }), free);
  expect(reader.read(press('s', { timeStamp: 4_200 }), free)).toBeNull();
  reader.read(press('g', { timeStamp: 5_000 }), free);
  reader.read(press('s', { timeStamp: 5_100 }), { ...free, writing: true });
  expect(reader.read(press('s', { timeStamp: 5_200 }), free)).toBeNull();
});

test('U91 no key acts while a dialog or menu is open, while a word is composed, when held down, or when something nearer used it', () => {
  const reader = new KeyReader();
  for (const key of [mod('k'), press('/')]) {
    expect(reader.read(key, { ...free, taken: true })).toBeNull();
    for (const more of [{ isComposing: true }, { repeat: true }, { defaultPrevented: true }, { altKey: true }]) expect(reader.read({ ...key, ...more }, free)).toBeNull();
  }
});

test('U91 keys without Ctrl or Cmd can be switched off', () => {
  const reader = new KeyReader();
  for (const key of ['?', '/', 'j', 'g']) expect(reader.read(press(key), { ...free, letters: false })).toBeNull();
  expect(reader.read(press('s', { timeStamp: 10 }), { ...free, letters: false })).toBeNull();
  expect(reader.read(mod('/'), { ...free, letters: false })).toBe('anywhere.keys');
});

test('U92 no key approves, and no key stands for two things in one place', () => {
  const names = Object.entries(KEYS).flatMap(([group, keys]) => Object.keys(keys).map((name) => `${group}.${name}`));
  expect(names.filter((name) => /approve|allow|grant|admit|consent|yes/i.test(name))).toEqual([]);
  expect(Object.values(KEYS.approval)).toEqual([['Escape']]);
  const anywhere = (['anywhere', 'go', 'page'] as const).flatMap((group) => Object.values(KEYS[group]).flat());
  expect(new Set(anywhere).size).toBe(anywhere.length);
  const list = Object.values(KEYS.list).flat();
  expect(new Set(list).size).toBe(list.length);
});

test('U90 lists are gone through by the keys of the table', () => {
  expect(['ArrowDown', 'End', 'Enter', 'x'].map((key) => listMove(press(key)))).toEqual(['down', 'last', null, null]);
  expect(listMove(mod('ArrowDown'))).toBeNull();
});

test('QU02 in a question of a server the one key leaves it waiting; none answers, declines or cancels it', () => {
  expect(KEYS.question).toEqual({ later: ['Escape'] });
});
