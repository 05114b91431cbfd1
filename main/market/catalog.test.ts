import { cpSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MarketEntrySchema } from '../../shared/market.ts';
import { definitionFingerprint } from '../capabilities/fingerprint.ts';
import { Catalog } from './catalog.ts';
import { openProbe } from './stdio-probe.ts';

const dir = fileURLToPath(new URL('../../assets/catalog', import.meta.url));
const catalog = new Catalog({ dir });
const ids = (query: string): string[] => catalog.search(query).map((entry) => entry.id);

test.each(readdirSync(dir))('M50 the catalog file %s is valid, named after its id, and written in both languages', (file) => {
  const entry = MarketEntrySchema.strict().parse(JSON.parse(readFileSync(join(dir, file), 'utf8')));
  expect(file).toBe(`${entry.id}.json`);
  expect(entry.checkedAt).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const text of [entry.description, ...entry.inputs.map((input) => input.label), ...entry.reviewedTools.map((tool) => tool.purpose)]) {
    expect(text.en).toMatch(/^[\x20-\x7e]+$/);
    expect(text.zh).toMatch(/\p{Script=Han}/u);
  }
  if (entry.spec.kind === 'npm') expect(entry.spec.version, 'an exact version').toMatch(/^\d+\.\d+\.\d+$/);
  if (entry.verified) for (const tool of entry.reviewedTools) expect(tool.definitionFingerprint, tool.name).toMatch(/^[0-9a-f]{64}$/);
  const tiers = ['read_only', 'low_write', 'high_write', 'unknown'];
  for (const tool of entry.reviewedTools) expect(tiers.indexOf(tool.tier)).toBeLessThanOrEqual(tiers.indexOf(entry.highestTier));
});

test('M50 a broken file is left out and told, the others stay', () => {
  const other = mkdtempSync(join(tmpdir(), 'gantry-catalog-'));
  cpSync(dir, other, { recursive: true });
  writeFileSync(join(other, 'broken.json'), '{"id":"broken"}');
  writeFileSync(join(other, 'misnamed.json'), readFileSync(join(dir, 'memory.json')));
  const read = new Catalog({ dir: other });
  expect(read.problems.map((problem) => problem.file)).toEqual(['broken.json', 'misnamed.json']);
  expect(read.search('')).toHaveLength(catalog.search('').length);
});

test('M51 an empty query lists all, the built-in app first', () => {
  expect(ids('')).toHaveLength(readdirSync(dir).length);
  expect(ids('  ')[0]).toBe('environment');
});

test.each([
  ['filesystem', 'filesystem'],
  ['FILES', 'filesystem'],
  ['@modelcontextprotocol/server-memory', 'memory'],
  ['browser', 'playwright'],
  ['microsoft', 'playwright'],
  ['documentation libraries', 'context7'],
  ['浏览器', 'playwright'],
  ['知识图谱', 'memory'],
  ['测试', 'everything'],
  ['hello', 'hello-world'],
])('M51 %j finds %s first', (query, id) => {
  expect(ids(query)[0]).toBe(id);
});

test('M51 each word has to be found', () => {
  expect(ids('browser nonsenseword')).toEqual([]);
  expect(ids('.*')).toEqual([]);
});

test('M52 a review belongs to the app it was made for and cannot be borrowed', () => {
  const filesystem = { kind: 'npm', package: '@modelcontextprotocol/server-filesystem' } as const;
  const stranger = { kind: 'npm', package: 'evil-filesystem' } as const;
  expect(catalog.reviewFor('filesystem', filesystem, 'write_file')).toMatchObject({ tier: 'high_write', definitionFingerprint: expect.any(String) });
  expect(catalog.reviewFor(null, { ...filesystem, version: '1.0.0', args: ['/x'] }, 'read_text_file')).toMatchObject({ tier: 'read_only' });
  expect(catalog.reviewFor('filesystem', stranger, 'read_text_file')).toBeNull();
  expect(catalog.reviewFor('memory', filesystem, 'read_text_file')).toBeNull();
  expect(catalog.reviewFor('filesystem', { kind: 'command', command: 'node' }, 'read_text_file')).toBeNull();
  expect(catalog.reviewFor(null, filesystem, 'READ_TEXT_FILE')).toBeNull();
  expect(catalog.reviewFor(null, { kind: 'npm', package: 'constructor' }, 'toString')).toBeNull();
});

test('M52 the reviews of the environment app are bound to the definitions it really has', async () => {
  const probe = openProbe({ command: process.execPath, args: [fileURLToPath(new URL('../../assets/servers/environment/server.mjs', import.meta.url))], cwd: tmpdir(), env: {} });
  const tools = ((await probe.request('tools/list')).result?.['tools'] ?? []) as { name: string }[];
  await probe.close();
  for (const tool of tools) {
    const fingerprint = definitionFingerprint(tool);
    expect(catalog.reviewFor('environment', { kind: 'builtin', name: 'environment' }, tool.name)).toMatchObject({ tier: 'read_only', definitionFingerprint: fingerprint.ok && fingerprint.value });
  }
  expect(tools).toHaveLength(5);
});
