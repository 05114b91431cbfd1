import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { InputOf, RequestName } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import { createHost, type Host } from '../../host.ts';
import { sameName, valueMisfit } from '../../servers/launch-values.ts';

const folder = mkdtempSync(join(tmpdir(), 'gantry-judge-'));
const file = join(folder, 'file');
let host: Host;
const rpc = async <N extends RequestName>(name: N, input: InputOf<N>) => (await host.handle(name, input, { kind: 'script', canDecide: true })) as { ok: true; value: unknown } | { ok: false; error: Fault };
const faultOf = (answer: Awaited<ReturnType<typeof rpc>>): Fault | null => (answer.ok ? null : answer.error);

beforeAll(async () => {
  vi.stubEnv('GANTRY_KEYCHAIN', 'off');
  writeFileSync(file, '');
  mkdirSync(join(folder, 'work'));
  const created = await createHost({ dataDir: join(folder, 'data'), shell: 'test', approvals: 'script' });
  if (!created.ok) throw new Error(created.error.message);
  host = created.value;
  await rpc('secrets:unlock', { passphrase: 'a long passphrase' });
  const base = { consent: false } as const;
  await rpc('servers:add', { ...base, serverId: 'http', spec: { kind: 'http', url: 'http://127.0.0.1:9/mcp' }, headers: { 'X-Here': 'a' } });
  await rpc('servers:add', { ...base, serverId: 'command', spec: { kind: 'command', command: process.execPath } });
});
afterAll(async () => {
  await host.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const HTTP = { kind: 'http', url: 'http://127.0.0.1:9/mcp' } as const;
const COMMAND = { kind: 'command', command: process.execPath } as const;
const CANARY = 'canary-7f3a';

const BAD: readonly (readonly [string, Pick<InputOf<'servers:add'>, 'spec' | 'env' | 'headers' | 'args'>, string])[] = [
  ['a header value outside Latin-1', { spec: HTTP, headers: { 'X-Key': `${CANARY}\u2013` } }, '/headers/X-Key'],
  ['a secret header value outside Latin-1', { spec: HTTP, headers: { 'X-Key': { secret: `${CANARY}\u2013` } } }, '/headers/X-Key'],
  ['a header value with NUL', { spec: HTTP, headers: { 'X-Key': `${CANARY}\0` } }, '/headers/X-Key'],
  ['a secret header value with a line break', { spec: HTTP, headers: { 'X-Key': { secret: `${CANARY}\n` } } }, '/headers/X-Key'],
  ['a header value with a control character', { spec: HTTP, headers: { 'X-Key': `${CANARY}\x01` } }, '/headers/X-Key'],
  ['a header name that is no token', { spec: HTTP, headers: { 'X Key': CANARY } }, '/headers/X Key'],
  ['a header name with a slash', { spec: HTTP, headers: { 'X/Key': CANARY } }, '/headers/X~1Key'],
  ['a header of the connection', { spec: HTTP, headers: { 'Transfer-Encoding': 'chunked' } }, '/headers/Transfer-Encoding'],
  ['a header given twice', { spec: HTTP, headers: { 'X-Key': CANARY, 'x-key': 'b' } }, '/headers/x-key'],
  ['environment for a remote server', { spec: HTTP, env: { A: 'b' } }, '/env'],
  ['an environment name with =', { spec: COMMAND, env: { 'A=B': 'c' } }, '/env/A=B'],
  ['an environment name with NUL', { spec: COMMAND, env: { 'A\0': 'c' } }, '/env/A\0'],
  ['an environment name of the host', { spec: COMMAND, env: { GANTRY_SERVER_TOKEN: 'c' } }, '/env/GANTRY_SERVER_TOKEN'],
  ['an environment value with NUL', { spec: COMMAND, env: { A: `${CANARY}\0` } }, '/env/A'],
  ['a secret environment value with NUL', { spec: COMMAND, env: { A: { secret: `${CANARY}\0` } } }, '/env/A'],
  ['an environment value that no program can be given', { spec: COMMAND, env: { A: 'a'.repeat(200_000) } }, '/env/A'],
  ['an argument with NUL', { spec: COMMAND, args: ['a', `${CANARY}\0`] }, '/args/1'],
  ['a secret argument with NUL', { spec: COMMAND, args: ['--key', { secret: `${CANARY}\0` }] }, '/args/1'],
  ['headers for a local server', { spec: COMMAND, headers: { A: 'b' } }, '/headers'],
];

describe('H16', () => {
  test.each(BAD)('H16 %s is refused by preview, add and update alike, with field and remedy and without the value', async (_what, input, field) => {
    const before = await rpc('servers:get', { serverId: input.spec.kind });
    const { spec, ...values } = input;
    for (const refused of [await rpc('servers:preview', input), await rpc('servers:add', input), await rpc('servers:update', { serverId: spec.kind, ...values })]) {
      const f = faultOf(refused);
      expect(f).toMatchObject({ field, remedy: expect.any(String) });
      expect(['invalid_request', 'dangerous_environment']).toContain(f?.code);
      expect(JSON.stringify(f)).not.toContain(CANARY);
    }
    expect(await rpc('servers:get', { serverId: spec.kind })).toEqual(before);
    expect(await rpc('secrets:list', {})).toMatchObject({ value: { secrets: [] } });
  });

  test('H16 a header that differs only in case from one that is there is refused, unless that one is removed', async () => {
    expect(faultOf(await rpc('servers:update', { serverId: 'http', headers: { 'x-here': 'b' } }))).toMatchObject({ code: 'invalid_request', field: '/headers/x-here' });
    expect(faultOf(await rpc('servers:update', { serverId: 'http', headers: { 'x-here': 'b', 'X-Here': null } }))).toBeNull();
    expect(faultOf(await rpc('servers:update', { serverId: 'http', headers: { 'x-here': null, 'X-Here': 'a' } }))).toBeNull();
  });

  test('H16 a working folder that is missing, or is a file, is said at the preview', async () => {
    for (const cwd of [join(folder, 'nowhere'), file]) {
      const spec = { ...COMMAND, cwd };
      for (const refused of [await rpc('servers:preview', { spec }), await rpc('servers:add', { spec })]) expect(faultOf(refused)).toMatchObject({ code: 'invalid_request', field: '/spec/cwd', remedy: expect.any(String) });
      expect(faultOf(await rpc('servers:update', { serverId: 'command', cwd }))).toMatchObject({ code: 'invalid_request', field: '/cwd' });
    }
    expect(faultOf(await rpc('servers:preview', { spec: { ...COMMAND, cwd: join(folder, 'work') } }))).toBeNull();
  });

  test('M30 H16 an npm spec that add refuses, preview refuses alike', async () => {
    for (const spec of [{ kind: 'npm', package: 'git+ssh://git@h/x.git' }, { kind: 'npm', package: 'x', version: 'file:../x' }, { kind: 'npm', package: 'NotAName' }, { kind: 'npm', package: 'x@1', version: '2' }, { kind: 'builtin', name: 'no-such' }] as const) {
      const [preview, add] = [faultOf(await rpc('servers:preview', { spec })), faultOf(await rpc('servers:add', { spec }))];
      expect(preview).not.toBeNull();
      expect([add?.code, add?.field]).toEqual([preview?.code, preview?.field]);
    }
    for (const spec of [{ kind: 'npm', package: 'x', version: '^1' }, { kind: 'npm', package: '@scope/x@next' }] as const) expect(faultOf(await rpc('servers:preview', { spec }))).toBeNull();
    expect(await rpc('servers:list', {})).toMatchObject({ value: { servers: [{ id: 'http' }, { id: 'command' }] } });
  });
});

test('H16 Latin-1 is carried, the length counts in bytes where the system counts it, and names are one where the system says so', () => {
  expect([valueMisfit('header', 'caf\xe9\t x'), valueMisfit('header', ''), valueMisfit('env', 'a\nb\u2013'), valueMisfit('arg', '\u2013')]).toEqual([null, null, null, null]);
  expect([valueMisfit('arg', 'a'.repeat(131_071), '', 'linux'), valueMisfit('arg', 'a'.repeat(200_000), '', 'darwin')]).toEqual([null, null]);
  expect(valueMisfit('arg', '\xe9'.repeat(65_536), '', 'linux')).not.toBeNull();
  expect(valueMisfit('env', 'a'.repeat(131_069), 'AB', 'linux')).not.toBeNull();
  expect([sameName('env', ['Path', 'PATH'], 'linux'), sameName('env', ['Path', 'PATH'], 'win32')]).toEqual([null, ['Path', 'PATH']]);
});
