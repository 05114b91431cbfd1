import { expect, test } from 'vitest';
import { fillTemplate, holesOf, levelsOf, MOST_LEVELS } from '../../../shared/placeholders.ts';
import { Imports } from './imports.ts';

const imports = (): Imports => new Imports({ machine: { env: {}, home: '/home/u', platform: 'linux' } as never, now: () => 1 });
const read = (text: string) => imports().read({ text });
const one = (fields: object): string => JSON.stringify({ mcpServers: { big: fields, small: { command: 'node', args: ['s.js'] } } });
const many = (count: number, of: (at: number) => readonly [string, unknown]): object => Object.fromEntries(Array.from({ length: count }, (_, at) => of(at)));

test.each<readonly [string, string, RegExp]>([
  ['servers', JSON.stringify({ mcpServers: many(501, (at) => [`s${at}`, { command: 'x' }]) }), /500 servers/],
  ['servers in a list', JSON.stringify(Array.from({ length: 501 }, () => ({ command: 'x' }))), /500 servers/],
  ['command lines', 'npx x\n'.repeat(501), /500 servers/],
  ['lines of one command', `npx ${'\\\n a'.repeat(600)}`, /command/],
  ['variables that are exported', `${Array.from({ length: 600 }, (_, at) => `export V${at}=1`).join('\n')}\nnpx x`, /600|513/],
])('IM15 more than a person writes is import_too_large, with its limit: %s', async (_what, text, words) => {
  const found = await read(text);
  expect(found).toMatchObject({ ok: false, error: { code: 'import_too_large', message: expect.stringMatching(words), remedy: expect.any(String) } });
});

test.each<readonly [string, object]>([
  ['arguments', { command: 'x', args: Array.from({ length: 513 }, () => '${A}') }],
  ['variables', { command: 'x', env: many(513, (at) => [`K${at}`, `\${V${at}:-\${W${at}}}`]) }],
  ['headers', { url: 'https://h.example/mcp', headers: many(513, (at) => [`K${at}`, 'v']) }],
  ['a long text', { command: 'x', args: ['a'.repeat(64 * 1024 + 1)] }],
  ['fall-backs within fall-backs', { command: 'x', args: ['${A:-'.repeat(5_000) + '}'.repeat(5_000)] }],
])('IM15 a server of too much is listed by its name with import_too_large, nothing of it is offered, and the others go on: %s', async (_what, fields) => {
  const found = await read(one(fields));
  if (!found.ok) throw new Error(found.error.message);
  const [big, small] = found.value.servers.map(({ prepared }) => prepared);
  expect(big).toMatchObject({ name: 'big', launches: [], values: [], asks: [], fault: { code: 'import_too_large' } });
  expect(small).toMatchObject({ name: 'small', fault: null });
});

test('IM15 a dotted key of TOML is nested as deep as it has parts', async () => {
  expect(await read(`[mcp_servers.a]\ncommand = "x"\n${'a.'.repeat(5_000)}b = 1\n`)).toMatchObject({ ok: false, error: { code: 'import_unreadable', details: { what: expect.stringContaining('levels') } } });
});

test('IM15 S80 what stands deeper than the levels that are read stays as it is written', () => {
  const deep = (levels: number): string => `\${A:-`.repeat(levels) + 'end' + '}'.repeat(levels);
  expect([levelsOf('plain {{{'), levelsOf('{"a":{"b":"${X}"}}'), levelsOf('${A:-${B}} ${C}'), levelsOf(deep(40))]).toEqual([0, 1, 2, 40]);
  expect(fillTemplate(deep(MOST_LEVELS - 1), () => ({ missing: true }))).toEqual({ text: 'end' });
  expect(fillTemplate(deep(MOST_LEVELS + 1), () => ({ missing: true }))).toEqual({ text: deep(1) });
  expect(holesOf(deep(100_000).slice(0, 300_000))).toEqual([]);
  expect(holesOf(deep(5_000))).toEqual(['A']);
});
