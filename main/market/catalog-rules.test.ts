import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CatalogFileSchema, type CatalogFile } from '../../shared/market.ts';
import { ObservedSchema, type Observed } from '../../shared/market-observed.ts';
import { catalogComplaints } from './catalog-rules.ts';

const folder = (name: string): string => fileURLToPath(new URL(`../../assets/${name}`, import.meta.url));
const files = readdirSync(folder('catalog'));
const readEntry = (file: string): CatalogFile => CatalogFileSchema.strict().parse(JSON.parse(readFileSync(join(folder('catalog'), file), 'utf8')));
const readObserved = (file: string): Observed | null => {
  const path = join(folder('observed'), file);
  return existsSync(path) ? ObservedSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
};
const entries = files.map((file) => ({ file, entry: readEntry(file), observed: readObserved(file) }));
const ids = new Set(entries.map(({ entry }) => entry.id));

test.each(entries)('M60 M61 M62 M63 M64 M65 the catalog file $file keeps every rule', ({ file, entry, observed }) => {
  expect(file).toBe(`${entry.id}.json`);
  expect(catalogComplaints(entry, { observed, ids })).toEqual([]);
});

test('M63 every record belongs to an entry', () => {
  expect(readdirSync(folder('observed')).filter((file) => !files.includes(file))).toEqual([]);
});

test('M66 the catalog has what it promises: sixty entries of every kind, twenty connected, fifteen reviewed', () => {
  const of = (kind: CatalogFile['kind']): number => entries.filter(({ entry }) => entry.kind === kind).length;
  expect(entries.length).toBeGreaterThanOrEqual(60);
  expect([of('npm'), of('pypi'), of('oci'), of('remote'), of('builtin')].every((count) => count > 0)).toBe(true);
  expect(entries.filter(({ entry }) => entry.verified).length).toBeGreaterThanOrEqual(20);
  expect(entries.filter(({ entry }) => entry.reviewedTools.length > 0).length).toBeGreaterThanOrEqual(15);
});

describe('each rule bites', () => {
  const good = (id: string): { readonly entry: CatalogFile; readonly observed: Observed | null } => entries.find(({ entry }) => entry.id === id)!;
  const planted = (id: string, change: (entry: CatalogFile) => object, observed: Observed | null = good(id).observed): string[] => {
    const { entry } = good(id);
    const broken = { ...entry, ...change(entry) } as CatalogFile;
    return [...new Set(catalogComplaints(broken, { observed, ids }).map(({ rule }) => rule))];
  };
  const text = (en: string, zh: string) => ({ en, zh });

  test.each([
    ['a range', 'M60', 'memory', (e: CatalogFile) => ({ spec: { ...e.spec, version: '^2026.8.31' } })],
    ['a tag', 'M60', 'memory', (e: CatalogFile) => ({ spec: { ...e.spec, version: 'latest' } })],
    ['no version', 'M60', 'memory', (e: CatalogFile) => ({ spec: { kind: 'npm', package: (e.spec as { package: string }).package } })],
    ['an image tag that moves', 'M60', 'terraform', (e: CatalogFile) => ({ package: { ...e.package, tag: 'latest' } })],
    ['a range of PyPI', 'M60', 'time', (e: CatalogFile) => ({ package: { ...e.package, version: '2026.*' } })],
    ['one language for both', 'M61', 'memory', () => ({ description: text('Same', 'Same') })],
    ['an empty text', 'M61', 'memory', () => ({ description: text('', '文本') })],
    ['praise', 'M61', 'memory', () => ({ description: text('The best memory.', '最好的记忆。') })],
    ['a licence of no list', 'M61', 'memory', () => ({ licence: 'SEE LICENSE IN LICENSE' })],
    ['an address without TLS', 'M61', 'memory', () => ({ homepage: 'http://example.com' })],
    ['no category', 'M61', 'memory', () => ({ categories: [] })],
    ['a replacement that is not there', 'M61', 'memory', () => ({ withdrawn: { since: '2026-01-01', reason: text('Gone.', '已撤下。'), instead: 'nothing' } })],
    ['a launch of another kind', 'M62', 'memory', () => ({ kind: 'pypi' })],
    ['a launch that is not that of its package', 'M62', 'time', () => ({ spec: { kind: 'command', command: 'uvx', args: ['mcp-server-time'] } })],
    ['a header for a program', 'M62', 'memory', (e: CatalogFile) => ({ inputs: [...e.inputs, { target: 'header', name: 'X', label: text('X', '头'), required: false, secret: false, format: 'string', repeated: false }] })],
    ['a secret with a default', 'M62', 'tavily', (e: CatalogFile) => ({ inputs: e.inputs.map((input) => ({ ...input, default: 'k' })) })],
    ['plain http', 'M62', 'linear', () => ({ spec: { kind: 'http', url: 'http://mcp.linear.app/mcp' } })],
    ['not verified, no reason', 'M63', 'memory', () => ({ verified: false })],
    ['a record of another version', 'M63', 'memory', (e: CatalogFile) => ({ spec: { ...e.spec, version: '2020.1.1' } })],
    ['a tool nobody saw', 'M64', 'memory', (e: CatalogFile) => ({ reviewedTools: [...e.reviewedTools, { name: 'x', tier: 'read_only', purpose: text('X.', '某。'), definitionFingerprint: '0'.repeat(64) }] })],
    ['a definition that moved', 'M64', 'memory', (e: CatalogFile) => ({ reviewedTools: e.reviewedTools.map((tool) => ({ ...tool, definitionFingerprint: '0'.repeat(64) })) })],
    ['a tier below its tools', 'M64', 'filesystem', () => ({ highestTier: 'read_only' })],
    ['inputs from nowhere', 'M65', 'tavily', (e: CatalogFile) => ({ source: e.source.filter(({ facts }) => !facts.includes('inputs')) })],
    ['npm facts without the version they are of', 'M65', 'memory', (e: CatalogFile) => ({ source: e.source.map((one) => (one.from === 'npm_metadata' ? { ...one, ref: 'npm' } : one)) })],
  ] as const)('M60 M61 M62 M63 M64 M65 %s is found (%s)', (_what, rule, id, change) => {
    expect(planted(id, change as (entry: CatalogFile) => object)).toContain(rule);
  });

  test('M63 verified needs the record', () => {
    expect(planted('memory', () => ({}), null)).toContain('M63');
  });
});
