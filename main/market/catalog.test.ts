import { cpSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { requestWordsOf } from '../agent/selection/request-words-of.ts';
import { definitionFingerprint } from '../capabilities/fingerprint.ts';
import { Catalog } from './catalog.ts';
import { openProbe } from './stdio-probe.ts';

const dir = fileURLToPath(new URL('../../assets/catalog', import.meta.url));
const catalog = new Catalog({ dir, words: requestWordsOf(fileURLToPath(new URL('../../assets/selection', import.meta.url))) });
const ids = async (query: string): Promise<string[]> => (await catalog.search({ query, facets: {}, sort: 'best' })).entries.map((entry) => entry.id);

test('M50 a broken file is left out and told, the others stay', () => {
  const other = mkdtempSync(join(tmpdir(), 'gantry-catalog-'));
  cpSync(dir, other, { recursive: true });
  writeFileSync(join(other, 'broken.json'), '{"id":"broken"}');
  writeFileSync(join(other, 'misnamed.json'), readFileSync(join(dir, 'memory.json')));
  const problems: string[] = [];
  const read = new Catalog({ dir: other, onProblem: ({ file }) => problems.push(file) });
  expect(problems).toEqual(['broken.json', 'misnamed.json']);
  expect(read.size).toBe(catalog.size);
});

test('M51 an empty query lists all, the built-in app first', async () => {
  expect(await ids('')).toHaveLength(readdirSync(dir).length);
  expect((await ids('  '))[0]).toBe('environment');
});

test.each([
  ['filesystem', 'filesystem'],
  ['FILES', 'filesystem'],
  ['@modelcontextprotocol/server-memory', 'memory'],
  ['browser mcp', 'browsermcp'],
  ['microsoft playwright', 'playwright'],
  ['mcp-server-fetch', 'fetch'],
  ['learn.microsoft.com', 'microsoft-learn'],
  ['documentation libraries', 'context7'],
  ['浏览器 测试', 'chrome-devtools'],
  ['知识图谱', 'memory'],
  ['协议 测试', 'everything'],
  ['hello', 'hello-world'],
])('M51 %j finds %s first', async (query, id) => {
  expect((await ids(query))[0]).toBe(id);
});

test('M51 what was withdrawn comes after what is not', async () => {
  const found = await ids('github');
  expect(found[0]).toBe('github-remote');
  expect(found.indexOf('github-archived')).toBeGreaterThan(0);
  expect(catalog.get((await ids('')).at(-1)!)?.withdrawn).toBeDefined();
});

test('M50 a record that does not fit costs the entry its record and not its place', () => {
  const [entries, records] = [mkdtempSync(join(tmpdir(), 'gantry-catalog-')), mkdtempSync(join(tmpdir(), 'gantry-observed-'))];
  cpSync(dir, entries, { recursive: true });
  writeFileSync(join(records, 'memory.json'), '{"entryId":"memory"}');
  const problems: string[] = [];
  const read = new Catalog({ dir: entries, observedDir: records, onProblem: ({ file }) => problems.push(file) });
  expect([read.get('memory')?.id, read.get('memory')?.observed, read.observedOf('memory')]).toEqual(['memory', null, null]);
  expect(problems).toEqual(['observed/memory.json']);
});

test('M52 a command is the app of an entry only when it begins with the very launch of it', () => {
  const time = catalog.get('time')!;
  if (time.spec.kind !== 'command') throw new Error('a PyPI entry is a command');
  expect(catalog.entryFor({ ...time.spec, args: [...time.spec.args!, '--local-timezone=UTC'] })?.id).toBe('time');
  expect(catalog.entryFor({ ...time.spec, args: ['--from', 'evil==1.0', 'mcp-server-time'] })).toBeNull();
  expect(catalog.entryFor({ ...time.spec, command: '/tmp/uvx' })).toBeNull();
});

test('M52 a review belongs to the app it was made for and cannot be borrowed', () => {
  const filesystem = { kind: 'npm', package: '@modelcontextprotocol/server-filesystem' } as const;
  const stranger = { kind: 'npm', package: 'evil-filesystem' } as const;
  expect(catalog.reviewsOf('filesystem', filesystem)('write_file')).toMatchObject({ tier: 'high_write', definitionFingerprint: expect.any(String) });
  expect(catalog.reviewsOf(null, { ...filesystem, version: '1.0.0', args: ['/x'] })('read_text_file')).toMatchObject({ tier: 'read_only' });
  expect(catalog.reviewsOf('filesystem', stranger)('read_text_file')).toBeNull();
  expect(catalog.reviewsOf('memory', filesystem)('read_text_file')).toBeNull();
  expect(catalog.reviewsOf('filesystem', { kind: 'command', command: 'node' })('read_text_file')).toBeNull();
  expect(catalog.reviewsOf(null, filesystem)('READ_TEXT_FILE')).toBeNull();
  expect(catalog.reviewsOf(null, { kind: 'npm', package: 'constructor' })('toString')).toBeNull();
});

test('M52 the reviews of the environment app are bound to the definitions it really has', async () => {
  const probe = openProbe({ command: process.execPath, args: [fileURLToPath(new URL('../../assets/servers/environment/server.mjs', import.meta.url))], cwd: tmpdir(), env: {} });
  const tools = ((await probe.request('tools/list')).result?.['tools'] ?? []) as { name: string }[];
  await probe.close();
  for (const tool of tools) {
    const fingerprint = definitionFingerprint(tool);
    expect(catalog.reviewsOf('environment', { kind: 'builtin', name: 'environment' })(tool.name)).toMatchObject({ tier: 'read_only', definitionFingerprint: fingerprint.ok && fingerprint.value });
  }
  expect(tools).toHaveLength(5);
});
