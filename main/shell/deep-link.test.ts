import { expect, test } from 'vitest';
import { linkIn, ownOptions, placeOfLink } from './deep-link.ts';
import { PlaceSlot } from './place-slot.ts';

test('W08 a link is a place that shows it, whole; one that is too long is told by its length', () => {
  expect(placeOfLink('gantry://install?command=sh&args=-c')).toEqual({ kind: 'link', text: 'gantry://install?command=sh&args=-c', length: 35 });
  const longest = `gantry:${'x'.repeat(8_185)}`;
  expect(placeOfLink(longest)).toMatchObject({ text: longest, length: 8_192 });
  expect(placeOfLink(`${longest}y`)).toEqual({ kind: 'link', text: null, length: 8_193 });
  expect(placeOfLink('gantry:\ud800')).toMatchObject({ text: 'gantry:\ufffd' });
});

test('W08 only the last place waits, and it is taken once', () => {
  let told = 0;
  const slot = new PlaceSlot(() => (told += 1));
  for (let n = 0; n < 100; n += 1) slot.ask(placeOfLink(`gantry://${n}`));
  expect(told).toBe(100);
  expect(slot.take()).toMatchObject({ text: 'gantry://99' });
  expect(slot.take()).toBeNull();
});

test('W07 the link is found among what a system adds, in any case of letters', () => {
  expect(linkIn(['/opt/gantry', '--no-sandbox', '--', 'GANTRY://market/x', 'gantry://second'])).toBe('GANTRY://market/x');
  expect(linkIn([' gantry:x'])).toBe(' gantry:x');
  expect(linkIn(['/opt/gantry', 'https://gantry:1/', 'gantry', '--gantry:x'])).toBeNull();
});

test('W07 where a link is among the arguments no option is read: it may have brought them', () => {
  expect(ownOptions(['gantry', '.', '--', '--lang', 'zh'])).toEqual(['--lang', 'zh']);
  expect(ownOptions(['gantry', '--approvals=script'])).toEqual([]);
  expect(ownOptions(['Gantry.exe', 'gantry://x', '--', '--approvals=script', '--data-dir', 'C:\\evil'])).toEqual([]);
  expect(ownOptions(['Gantry.exe', '--', '--approvals=script', 'gantry://x'])).toEqual([]);
});
