import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Kinds, meet } from './kinds.ts';
import { rankTools } from './rank.ts';
import type { ToolIndex } from './tool-index.ts';
import { indexOf, SELECTION_ASSETS, toolText as tool, words } from './tool-index.fixture.ts';

const TOOLS = [
  tool('sky', 'q1', 'Current conditions and the hourly forecast of a place.'),
  tool('sky', 'q2', 'Humidity and wind speed at a station.'),
  tool('bourse', 'q3', 'Quote of a listed company by its ticker symbol.'),
  tool('clinic', 'q4', 'Checks symptoms and tells which condition they may point to.'),
  tool('rails', 'q5', '查询火车时刻表和余票'),
];

test.each([
  ['Do I need an umbrella or a raincoat?', 'sky'],
  ['How is NVDA doing?', 'bourse'],
  ['My throat hurts and I have a fever', 'clinic'],
  ['明天要不要带伞', 'sky'],
  ['明天要不要帶傘', 'sky'],
  ['Which Amtrak gets me there?', 'rails'],
])('SE60 %s speaks for server %s, without a word in common', (request, serverId) => {
  const ranked = rankTools(request, indexOf(TOOLS), { count: TOOLS.length });
  const nearest = ranked.toSorted((one, other) => other.reasons.kind - one.reasons.kind)[0]!;
  expect(nearest.id.split('/')[0]).toBe(serverId);
  expect(nearest.gives.kind).toBeGreaterThan(0);
});

test('SE60 tools of one server are as near as each other, in a whole task nothing is, and where no kind is known', () => {
  const kindOf = (request: string, id: string): number => rankTools(request, indexOf(TOOLS), { count: 9 }).find((one) => one.id === id)!.reasons.kind;
  expect(kindOf('Do I need an umbrella?', 'sky/q1')).toBe(kindOf('Do I need an umbrella?', 'sky/q2'));
  const task = 'I am going for a walk with my friends at the weekend and would like to know whether I need an umbrella. '.repeat(3);
  for (const request of [task, 'zzqx', '']) for (const { gives, reasons } of rankTools(request, indexOf(TOOLS), { count: 9 })) expect([gives.kind, reasons.kind]).toEqual([0, 0]);
});

test('SE61 a server is of the kinds of the tools that it has now', () => {
  const index = indexOf(TOOLS);
  const kindOf = (of: ToolIndex): number => rankTools('Do I need an umbrella?', of, { count: 9 }).find(({ id }) => id === 'sky/q1')!.reasons.kind;
  const before = kindOf(index);
  index.add(tool('sky', 'q6', 'Refunds an order and opens a chargeback with the bank.'));
  const beside = kindOf(index);
  expect(beside).toBeLessThan(before);
  index.removeServer('sky');
  for (const one of TOOLS.slice(0, 2)) index.add(one);
  expect(kindOf(index)).toBeCloseTo(before, 6);
});

test('SE61 whatever is read, how far two are of the same kinds is between 0 and 1', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom('__proto__ constructor toString', 'umbrella '.repeat(300), '天气'.repeat(300), 'will it rain'));
  fc.assert(
    fc.property(text, text, (request, description) => {
      const index = indexOf([tool('s', 'q1', description)]);
      const value = meet(words.kinds.ofRequest(request), index.kindsOf('s'));
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1.0001);
    }),
    { numRuns: 60 },
  );
});

test('SE61 a phrase tells more than its words apart, and words that many kinds have less than others', () => {
  const kinds = new Kinds(gunzipSync(readFileSync(`${SELECTION_ASSETS}/kinds.txt.gz`)).toString('utf8'));
  expect(kinds.count).toBeGreaterThan(900);
  const small = new Kinds(['3\t2', 'appl\t2\t0,35,0 1,100,0', 'appl pie\t1\t0,0,100', 'plum\t1\t0,100,0 1,100,0 2,100,0', 'pear\t1\t1,0,100', '苹果\t1\t2,0,100', ''].join('\n'));
  expect(small.ofRequest('apple pie')[0]![0]).toBe(0);
  expect(small.ofRequest('an apple, a pear')[0]![0]).toBe(1);
  expect(small.ofRequest('吃苹果')).toEqual([[2, 1]]);
  expect(small.ofRequest('plum')).toEqual([]);
});
