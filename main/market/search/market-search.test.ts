import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarketEntry } from '../../../shared/market.ts';
import type { FacetCounts, PickedFacets } from '../../../shared/market-view.ts';
import { FACET_NAMES, MARKET_FACETS, MARKET_SORTS } from '../../../shared/market-facets.ts';
import { MarketSearch, type Presence } from './market-search.ts';

const input = { target: 'env' as const, name: 'K', label: { en: '', zh: '' }, required: true, secret: true, format: 'string' as const, repeated: false };
const review = { name: 'r', tier: 'read_only' as const, purpose: { en: '', zh: '' } };
const entry = (id: string, part: Partial<MarketEntry> = {}): MarketEntry => ({
  id, name: id, publisher: 'someone', description: { en: '', zh: '' }, kind: 'npm', transport: 'stdio', spec: { kind: 'npm', package: id, version: '1.0.0' }, inputs: [], licence: 'MIT', categories: [], highestTier: 'unknown',
  verified: true, source: [{ facts: ['package'], from: 'npm_metadata', ref: 'x@1.0.0' }], checkedAt: '2026-11-30', reviewer: '', reviewedTools: [], observed: null, installedServerIds: [], installed: [], ...part,
});
const build = (entries: readonly MarketEntry[], tools: Readonly<Record<string, readonly string[]>> = {}): MarketSearch => {
  const building = MarketSearch.build(entries.map((one) => ({ entry: one, tools: tools[one.id] ?? [] })));
  for (let step = building.next(); ; step = building.next()) if (step.done) return step.value;
};
const none: Presence = new Map();
const finder = (entries: readonly MarketEntry[], tools?: Readonly<Record<string, readonly string[]>>) => {
  const search = build(entries, tools);
  return (query: string, facets: PickedFacets = {}, sort: 'best' | 'name' | 'checked' | 'size' = 'best', presence: Presence = none): string[] => search.find({ query, facets, sort }, presence).order.map((at) => entries[at]!.id);
};

const few = [
  entry('github', { name: 'GitHub', publisher: 'GitHub, Inc.', description: { en: 'Issues and pull requests.', zh: '议题与合并请求。' }, categories: ['source-code'] }),
  entry('gitlab', { name: 'GitLab', description: { en: 'Projects and merge requests.', zh: '项目与合并请求。' } }),
  entry('files', { name: 'Filesystem', spec: { kind: 'npm', package: '@modelcontextprotocol/server-filesystem', version: '1.0.0' }, description: { en: 'Reads files in folders you name.', zh: '读取你指定文件夹中的文件。' } }),
  entry('graph', { name: 'Memory', description: { en: 'A knowledge graph.', zh: '智能体可以保留的知识图谱。' }, categories: ['memory'] }),
  entry('flows', { name: 'Workflows', description: { en: 'Runs them.', zh: '运行流程。' } }),
  entry('search', { name: 'Web search', description: { en: 'Mentions github once.', zh: '网络搜索' } }),
];
const tools = { files: ['read_text_file', 'listDirectory'], flows: ['startRun'] };
const find = finder(few, tools);

test.each([
  ['github', ['github', 'search']],
  ['GitH', ['github', 'search']],
  ['ｇｉｔｈｕｂ', ['github', 'search']],
  ['server-filesystem', ['files']],
  ['@modelcontextprotocol/server-filesystem', ['files']],
  ['files folders', ['files']],
  ['source code', ['github']],
  ['源代码', ['github']],
  ['read_text', ['files']],
  ['directory', ['files']],
  ['start run', ['flows']],
])('M70 %j is found by name, publisher, package, category, description or tool', (query, ids) => {
  expect(find(query)).toEqual(ids);
});

test.each([
  ['githbu', 'github'],
  ['gihub', 'github'],
  ['gitthub', 'github'],
  ['githab', 'github'],
  ['filesistme', 'files'],
  ['knowlegde', 'graph'],
  ['memroy', 'graph'],
])('M70 a small typo is forgiven where nothing else is found: %s', (query, id) => {
  expect(find(query)[0]).toBe(id);
});

test('M70 short words and words that are far off are not guessed at', () => {
  expect(find('gti')).toEqual([]);
  expect(find('zzzzzzzz')).toEqual([]);
  expect(find('github zzzz')).toEqual([]);
});

test('M70 a part of a word is found where no word begins with it', () => {
  expect(find('flow')).toEqual(['flows']);
  expect(find('orkfl')).toEqual(['flows']);
  expect(find('system')).toEqual(['files']);
});

test.each([
  ['知识图谱', ['graph']],
  ['识图', ['graph']],
  ['图', ['graph']],
  ['图谱知识', ['graph']],
  ['合并请求', ['github', 'gitlab']],
  ['合并请求议题', ['github']],
  ['文件 读取', ['files']],
  ['网路', []],
])('M71 Chinese is found by words and characters, wherever the words stand: %s', (query, ids) => {
  expect(find(query)).toEqual(ids);
});

test('M71 both languages are searched whichever is shown, also in one query', () => {
  expect(find('memory 知识')).toEqual(['graph']);
  expect(find('issues 议题')).toEqual(['github']);
});

test('M72 the order is by where it was found, then by our review, then by name, and always the same', () => {
  const ordered = finder([
    entry('c', { description: { en: 'map', zh: '' } }),
    entry('b', { description: { en: 'map', zh: '' } }),
    entry('old', { name: 'Map', withdrawn: { since: '2026-01-01', reason: { en: '', zh: '' } } }),
    entry('seen', { description: { en: 'map', zh: '' }, verified: false }),
    entry('own', { description: { en: 'map', zh: '' }, reviewedTools: [review] }),
    entry('maps', { name: 'Maps' }),
    entry('map', { name: 'Map' }),
    entry('ships', { kind: 'builtin', description: { en: 'map', zh: '' } }),
  ]);
  expect(ordered('map')).toEqual(['map', 'old', 'maps', 'ships', 'own', 'b', 'c', 'seen']);
  expect(ordered('')).toEqual(['ships', 'own', 'b', 'c', 'map', 'maps', 'seen', 'old']);
});

test('M72 other orders: by name, by the day it was looked at, by size with the unmeasured last', () => {
  const observed = (sizeBytes: number): MarketEntry['observed'] => ({ tools: 1, sizeBytes, observedAt: '', platform: '', protocolVersion: '', serverName: '', serverVersion: '' });
  const ordered = finder([entry('b', { name: 'b', checkedAt: '2026-11-30', observed: observed(10) }), entry('A', { name: 'A', checkedAt: '2026-11-01' }), entry('c', { name: 'C', checkedAt: '2026-12-01', observed: observed(5) })]);
  expect([ordered('', {}, 'name'), ordered('', {}, 'checked'), ordered('', {}, 'size')]).toEqual([['A', 'b', 'c'], ['c', 'b', 'A'], ['c', 'b', 'A']]);
});

const kinds = [
  entry('one', { kind: 'npm', inputs: [input], highestTier: 'read_only', reviewedTools: [review], categories: ['files', 'search'] }),
  entry('two', { kind: 'npm', inputs: [{ ...input, secret: false }], categories: ['search'], verified: false }),
  entry('three', { kind: 'remote', highestTier: 'high_write', withdrawn: { since: '2026-01-01', reason: { en: '', zh: '' } } }),
];

test('M73 facets narrow: any value of one, all facets together', () => {
  const narrowed = finder(kinds);
  expect(narrowed('', { kind: ['remote', 'npm'] })).toHaveLength(3);
  expect(narrowed('', { kind: ['npm'], needs: ['key'] })).toEqual(['one']);
  expect(narrowed('', { category: ['search'] })).toEqual(['one', 'two']);
  expect(narrowed('', { standing: ['withdrawn'] })).toEqual(['three']);
  expect(narrowed('', { standing: ['connected'] })).toEqual(['three']);
  expect(narrowed('', { presence: ['installed'] }, 'best', new Map([[1, ['installed', 'update']]]))).toEqual(['two']);
  expect(narrowed('', { presence: ['absent'] }, 'best', new Map([[1, ['installed', 'update']]]))).toEqual(['one', 'three']);
  expect(narrowed('', { kind: ['oci'] })).toEqual([]);
});

test('M73 a value is counted among what the query and every other facet let through', () => {
  const { counts } = build(kinds).find({ query: '', facets: { kind: ['npm'], needs: ['key'] }, sort: 'best' }, none);
  expect(counts.kind).toEqual({ builtin: 0, npm: 1, pypi: 0, oci: 0, remote: 0, command: 0 });
  expect(counts.needs).toEqual({ nothing: 0, settings: 1, key: 1 });
  expect(counts.tier).toMatchObject({ read_only: 1, unknown: 0 });
  expect([counts.category.files, counts.category.search, counts.presence.absent]).toEqual([1, 1, 1]);
});

test('M73 each count is what ticking that value alone would give', () => {
  const search = build(kinds);
  const picked = fc.record(Object.fromEntries(FACET_NAMES.map((name) => [name, fc.subarray([...MARKET_FACETS[name]] as string[])])) as unknown as Record<string, fc.Arbitrary<string[]>>);
  fc.assert(
    fc.property(picked, (facets) => {
      const { counts } = search.find({ query: '', facets: facets as PickedFacets, sort: 'best' }, none);
      for (const name of FACET_NAMES) {
        for (const value of MARKET_FACETS[name] as readonly string[]) {
          const alone = search.find({ query: '', facets: { ...facets, [name]: [value] } as PickedFacets, sort: 'best' }, none);
          expect((counts as Record<string, Record<string, number>>)[name]![value]).toBe(alone.order.length);
        }
      }
    }),
    { numRuns: 60 },
  );
  const all: FacetCounts = search.find({ query: '', facets: {}, sort: 'best' }, none).counts;
  expect(all.kind.npm + all.kind.remote).toBe(3);
});

test('M74 no text makes the search fail or answer twice differently', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom('.*', '(', '__proto__', 'constructor', '\ud800', '👩‍👩‍👧', ' '.repeat(50))), (query) => {
      expect(find(query)).toEqual(find(query));
      expect(new Set(find(query)).size).toBe(find(query).length);
    }),
  );
  expect(find('github '.repeat(5_000))).toEqual(['github', 'search']);
});

test('M76 the best few are the beginning of all, and the amounts are those of all', () => {
  const tiers = MARKET_FACETS.tier;
  const many = build(Array.from({ length: 700 }, (_, at) => entry(`e${at}`, { name: `Map ${(at * 31) % 97}`, highestTier: tiers[at % tiers.length]!, description: { en: at % 3 === 0 ? 'map of towns' : 'towns', zh: '' }, checkedAt: `2026-11-${10 + (at % 20)}` })));
  fc.assert(
    fc.property(fc.constantFrom('', 'map', 'towns', 'map 7', 'nowhere'), fc.constantFrom(...MARKET_SORTS), fc.subarray([...tiers]), fc.nat(720), (query, sort, tier, upTo) => {
      const all = many.find({ query, facets: { tier }, sort }, none);
      expect(all.order).toHaveLength(all.total);
      expect(many.find({ query, facets: { tier }, sort }, none, upTo)).toEqual({ ...all, order: all.order.slice(0, upTo) });
    }),
  );
});

test('M76 the index of many entries is built in slices', () => {
  const building = MarketSearch.build(Array.from({ length: 3_000 }, (_, at) => ({ entry: entry(`e${at}`), tools: [] })));
  let slices = 0;
  while (!building.next().done) slices += 1;
  expect(slices).toBeGreaterThan(150);
});

test('M76 a question is answered as at first, whatever was asked in between', () => {
  const texts = ['files', 'files folders', 'folders files', '知识图谱', 'githbu', 'git', 'merge', 'github issues', '文件 读取', 'flow', 'web search', 'memory 知识', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const fresh = texts.map((text) => finder(few, tools)(text));
  fc.assert(
    fc.property(fc.array(fc.nat(texts.length - 1), { minLength: 1, maxLength: 60 }), (asked) => {
      for (const at of asked) expect(find(texts[at]!)).toEqual(fresh[at]);
    }),
  );
});

test('M77 what lists all, narrowed by facets or not, needs no index of words, and is listed the same with one', () => {
  const entries = [entry('b', { kind: 'builtin' }), entry('a', { kind: 'pypi' }), entry('c')];
  const listing = MarketSearch.listing(entries.map((one) => ({ entry: one, tools: [] })));
  let step = listing.next();
  while (!step.done) step = listing.next();
  const plain = step.value;
  const indexed = build(entries);
  for (const facets of [{}, { kind: ['npm', 'pypi'] }] as const satisfies readonly PickedFacets[]) {
    const question = { query: ' ', facets, sort: 'best' } as const;
    expect(plain.find(question, none)).toEqual(indexed.find(question, none));
  }
  expect(() => plain.find({ query: 'a', facets: {}, sort: 'best' }, none)).toThrow('indexed');
});
