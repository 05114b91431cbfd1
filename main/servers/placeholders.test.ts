import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fillTemplate, holesOf, templateParts } from '../../shared/placeholders.ts';
import type { Launch } from '../../shared/server.ts';
import { buildLaunch, type LaunchInput } from './launch.ts';
import { census, createHarness, ECHO, textOf, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
const before = { ...process.env };
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap(census)).toEqual([]);
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
});
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};

const values: Readonly<Record<string, string>> = { A: 'one', EMPTY: '', 'env:B': 'two' };
const fill = (text: string) => fillTemplate(text, (name) => (Object.hasOwn(values, name) ? values[name]! : name.startsWith('GONE') ? { missing: true } : null));

test('S80 `${name}`, `${name:-otherwise}` and `$${`: only declared names are filled, the rest stays as written', () => {
  expect(fill('x ${A}-${env:B} $5 and $${A} $A ${unknown:-d} ${')).toEqual({ text: 'x one-two $5 and ${A} $A ${unknown:-d} ${' });
  expect(fill('${EMPTY}|${EMPTY:-d}|${GONE:-d}|${GONE:-}|${GONE:-${A}/${GONE2:-x}}')).toEqual({ text: '|d|d||one/x' });
  expect(fill('a ${GONE}')).toEqual({ missing: 'GONE' });
  expect(fill('${GONE:-${GONE2}}')).toEqual({ missing: 'GONE2' });
  expect(holesOf('${A:-${B}} ${A} $${C}')).toEqual(['A', 'B']);
});

test('S80 a text without declared names is the text itself, whatever it holds', () => {
  const piece = fc.constantFrom('${', '}', '$', '{', ':-', 'A', 'x', ' ', '😀', '$${');
  fc.assert(
    fc.property(fc.array(piece).map((all) => all.join('')), (text) => {
      const again = templateParts(text).map((part) => (typeof part === 'string' ? part.replaceAll('${', () => '$${') : part.raw)).join('');
      expect(templateParts(again)).toEqual(templateParts(text));
      const filled = fillTemplate(text, () => null);
      if (!text.includes('$${')) expect(filled).toEqual({ text });
      expect('text' in filled).toBe(true);
    }),
  );
});

const base: LaunchInput = { server: { id: 'srv', spec: { kind: 'command', command: 'tool' }, args: ['--k=${K}'], env: {}, headers: {}, placeholders: { K: { variable: 'K', secret: true } }, home: 'user' }, installation: null, dataDir: '/d', hostNode: '/node', hostEnv: {}, userHome: '/home/u' };
const print = (change: Partial<LaunchInput['server']>): string => buildLaunch({ ...base, server: { ...base.server, ...change } }).fingerprint;

test('S80 which variable a placeholder reads is part of the launch; its value, and whether it is masked, are not', () => {
  const seen = [print({}), print({ placeholders: null }), print({ placeholders: {} }), print({ placeholders: { K: { variable: 'OTHER', secret: true } } }), print({ placeholders: { K: { secretRef: 'r' } } }), print({ placeholders: { K: { variable: 'K', secret: true }, L: { variable: 'L', secret: true } } })];
  expect(new Set(seen).size).toBe(seen.length);
  expect(print({ placeholders: { K: { variable: 'K', secret: false } } })).toBe(print({}));
  expect(print({ placeholders: { K: { secretRef: 'placeholder.K' } } })).toBe(print({ placeholders: { K: { secretRef: 'r' } } }));
  expect(JSON.stringify(buildLaunch(base) satisfies Launch)).toContain('--k=${K}');
});

const echoEnv = { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [{ reply: { content: [{ type: 'text', text: '{{argv}} {{env.A_TOKEN}} {{env.SEALED}} {{env.MODE}}' }] } }] }] };

test('S80 a process gets its values filled in at the start; a variable nobody confirmed is not read; values that are to be masked are told before the start', async () => {
  process.env['FX_TOKEN'] = 'tok-123-secret';
  process.env['FX_OTHER'] = 'never-read';
  const told: string[] = [];
  const h = harness();
  const remembering = harness({ secrets: { reveal: () => ({ ok: true, value: 'sealed-value' }), put: () => ({ ok: true, value: 'ref' }), remove: () => {}, remember: (variable, value) => void told.push(`${variable}=${value}`) } });
  for (const [one, id] of [[h, 'srv'], [remembering, 'srv']] as const) {
    one.secrets.set('ref', 'sealed-value');
    one.addFake(id, echoEnv, { env: { A_TOKEN: { plain: '${FX_TOKEN}' }, SEALED: { plain: 'Bearer ${input:k}' }, MODE: { plain: '${FX_MODE:-prod} ${FX_OTHER}' } }, placeholders: { FX_TOKEN: { variable: 'FX_TOKEN', secret: true }, 'input:k': { secretRef: 'ref' }, FX_MODE: { variable: 'FX_MODE', secret: false } } });
    expect(await one.pool.connect(id)).toEqual({ state: 'ready' });
    expect(textOf(await one.call(id, 'echo', {}))).toContain('tok-123-secret Bearer sealed-value prod ${FX_OTHER}');
  }
  expect(told).toEqual(['FX_TOKEN=tok-123-secret']);
});

test('S80 a variable without a value keeps its server from starting, and names field and variable; others start', async () => {
  const h = harness();
  h.addFake('bad', echoEnv, { env: { X: { plain: '${FX_MISSING}' } }, placeholders: { FX_MISSING: { variable: 'FX_MISSING', secret: true } } });
  h.addFake('good', echoEnv);
  expect(await h.pool.connect('bad')).toMatchObject({ state: 'unavailable', code: 'variable_missing', fault: { field: 'env.X', details: { variable: 'FX_MISSING' } } });
  expect(h.starts('bad')).toHaveLength(0);
  expect(await h.pool.connect('good')).toEqual({ state: 'ready' });
});

test('S80 an address keeps its secret part out of what is shown, and a value cannot make it another address', async () => {
  const h = harness();
  const at = await h.serveFake('web', { transport: 'http', tools: [ECHO] });
  h.secrets.set('ref', 'a/b?c#d e%2Bf=');
  h.add('web', { kind: 'http', url: `${at}/mcp?key=\${query.key}&x=1` }, { placeholders: { 'query.key': { secretRef: 'ref' } } });
  await h.pool.connect('web');
  const paths = h.records('web').map((r) => String(r['search'] ?? '')).filter((search) => search.includes('key='));
  expect(paths.length).toBeGreaterThan(0);
  expect(paths[0]).toContain('key=a%2Fb%3Fc%23d%20e%2Bf=&x=1');
  expect(JSON.stringify(h.pool.launches.of('web'))).not.toContain('a/b?c');
});
