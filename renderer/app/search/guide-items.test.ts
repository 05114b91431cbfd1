import { expect, test } from 'vitest';
import { guidePlaces } from '../../features/help/guide-outline.ts';
import { loadGuide } from '../../features/help/load-guide.ts';
import { guideItems } from './guide-items.ts';
import { groupsOf, indexOf } from './search-items.ts';

test('U133 headings of the guide are found in the language shown and in the other one, and lead to their place', async () => {
  const { texts, other, english } = await loadGuide('en');
  const own = guideItems(guidePlaces(texts, other, english), 'Guide');
  const index = indexOf(own);
  const first = (query: string): unknown => groupsOf({ query, own, index, ofHost: [], recent: [] })[0]?.items[0];
  expect(first('funnel')).toMatchObject({ label: 'The funnel', detail: 'What each fact means', to: '#/help/facts/the-funnel' });
  expect(first('漏斗')).toMatchObject({ label: 'The funnel', to: '#/help/facts/the-funnel' });
  expect(first('what gantry does not protect')).toMatchObject({ detail: 'Guide', to: '#/help/limits' });
  expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
});
