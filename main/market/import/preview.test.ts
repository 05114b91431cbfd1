import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportPick } from '../../../shared/import.ts';
import { decideServer } from './decide-server.ts';
import { readLauncher } from './read-launcher.ts';
import { isSecretName, isSecretShape } from './judge-value.ts';
import { readText } from './read-text.ts';
import { mergeSources, notBroughtOf, showServer, type PreviewServer } from './show-preview.ts';
import { secretPartsOf } from './url-parts.ts';
import type { FoundSource } from './found-server.ts';

const ENV = { FX_TOKEN: 'tok-123-secret', HOST: 'h.example' };
const source = (text: unknown, host: FoundSource['host'] = 'text'): FoundSource => {
  const found = readText(typeof text === 'string' ? text : JSON.stringify(text));
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return { ...found.value, host, path: null, fault: null, absent: false };
};
const preview = (text: unknown): readonly PreviewServer[] => mergeSources([source(text)], ENV);
const only = (text: unknown): PreviewServer => preview(text)[0]!;
const shown = (text: unknown) => showServer(only(text), []);
const decide = (text: unknown, pick: Omit<ImportPick, 'key'> = {}) => decideServer(only(text).prepared, { key: 'x', ...pick }, { hostEnv: ENV, home: '/home/u', separator: '/' });
const decided = (text: unknown, pick: Omit<ImportPick, 'key'> = {}) => {
  const done = decide(text, pick);
  if (!done.ok) throw new Error(JSON.stringify(done.error));
  return done.value;
};

describe('launches', () => {
  const launcher = (command: string, args: string[] = []) => readLauncher({ command, args, env: [] });
  test('IM20 npx, npm exec, pnpm dlx and yarn dlx are offered as an app that Gantry installs; what is not certain is not', () => {
    expect(launcher('npx', ['-y', '@s/p@1.2.3', '--a', 'b']).npm).toEqual({ package: '@s/p', version: '1.2.3', from: 2 });
    expect(launcher('/opt/homebrew/bin/npx', ['--yes', 'p']).npm).toEqual({ package: 'p', version: null, from: 2 });
    expect(launcher('npx.cmd', ['p@latest']).npm).toEqual({ package: 'p', version: 'latest', from: 1 });
    expect(launcher('npm', ['exec', '-y', 'p', '--', '--a']).npm).toEqual({ package: 'p', version: null, from: 4 });
    expect(launcher('pnpm', ['dlx', 'p']).npm).toMatchObject({ package: 'p' });
    expect(launcher('npx', ['-y', '-p', '@s/tool@2', 'tool', 'x']).npm).toEqual({ package: '@s/tool', version: '2', from: 4 });
    for (const args of [['-y', '-p', '@s/tool', 'other'], ['-y', './local'], ['-y', 'github:a/b'], ['-y', 'https://h.example/x.tgz'], ['-c', 'p'], ['--node-options=x', 'p'], ['-y', '${PKG}'], []]) expect(launcher('npx', args).npm, args.join(' ')).toBeNull();
    expect(launcher('bunx', ['p']).npm).toBeNull();
  });

  test('IM21 `cmd /c`, `env A=b` and a whole line in the place of the command are read; what needs a shell stays as written', () => {
    expect(launcher('cmd', ['/c', 'npx', '-y', 'p', 'C:\\My Dir'])).toMatchObject({ command: 'npx', args: ['-y', 'p', 'C:\\My Dir'], npm: { package: 'p' }, unwrapped: true });
    expect(launcher('C:\\Windows\\System32\\cmd.exe', ['/d', '/C', 'npx -y p'])).toMatchObject({ command: 'npx', args: ['-y', 'p'] });
    expect(launcher('/usr/bin/env', ['A=1', 'B=x y', 'node', 's.js'])).toMatchObject({ command: 'node', args: ['s.js'], env: [['A', '1'], ['B', 'x y']] });
    expect(launcher('npx -y p', ['--x'])).toMatchObject({ command: 'npx', args: ['-y', 'p', '--x'], split: true });
    for (const [command, args] of [['cmd', ['/c', 'npx p & del x']], ['cmd', ['/k', 'npx', 'p']], ['env', ['-i', 'node']], ['sh', ['-c', 'npx -y p']], ['/opt/My App/server', []], ['C:\\Program Files\\x.exe', ['a']]] as const) {
      expect(launcher(command, [...args]), command).toMatchObject({ command, args, npm: null, unwrapped: false, split: false });
    }
    expect(shown({ command: 'cmd', args: ['/c', 'npx', '-y', 'p'] }).launches.map((launch) => launch.as)).toEqual(['npm', 'command', 'written']);
    expect(decided({ command: 'cmd', args: ['/c', 'npx', '-y', 'p'] }, { as: 'written' }).spec).toEqual({ kind: 'command', command: 'cmd', args: ['/c', 'npx', '-y', 'p'] });
    expect(decided({ command: 'env', args: ['A=1', 'node', 's.js'] }).env).toEqual({ A: '1' });
    expect(decided({ command: 'env', args: ['A=1', 'node', 's.js'] }, { as: 'written' })).toMatchObject({ env: {}, spec: { args: ['A=1', 'node', 's.js'] } });
  });

  test('IM22 mcp-remote is offered as the connection it makes, with the headers it would send', () => {
    const config = { command: 'npx', args: ['-y', 'mcp-remote', 'https://h.example/mcp', '--header', 'Authorization:${AUTH}'], env: { AUTH: 'Bearer abcdef' } };
    expect(shown(config).launches.map((launch) => launch.as)).toEqual(['http', 'command']);
    expect(decided(config)).toMatchObject({ spec: { kind: 'http', url: 'https://h.example/mcp' }, headers: { Authorization: { secret: 'Bearer abcdef' } }, env: {} });
    expect(shown(config).asks).toEqual([]);
    expect(shown({ command: 'npx', args: ['mcp-remote', 'https://h.example/mcp', '--static-oauth-client-info', '{}'] }).launches.map((launch) => launch.as)).toEqual(['command']);
  });
});

describe('secrets', () => {
  test('IM23 secrets are told by name and shape, and what only speaks of one is none', () => {
    for (const name of ['API_KEY', 'GH_PAT', 'apiKey', 'OPENAI_APIKEY', 'db_password', 'X-Auth-Token', 'clientSecret', '--token', 'SESSION_COOKIE', 'PGPASSWORD']) expect(isSecretName(name), name).toBe(true);
    for (const name of ['TOKEN_LIMIT', 'MAX_TOKENS', 'KEY_FILE', 'LOG_LEVEL', 'KEYBOARD', 'AUTH_MODE', 'PUBLIC_KEY_ID', 'MONKEY', 'AUTHOR', 'COMPASS', 'PATH']) expect(isSecretName(name), name).toBe(false);
    for (const text of ['ghp_0123456789abcdefghijABCDEFGHIJ0123', 'sk-proj-abcdefghijklmnopqrstu', 'postgres://u:pw@h/x', 'xoxb-1234567890-abc', 'Zm9vYmFyMTIzNDU2Nzg5MGFiYw', '7c9e6679-7425-40de-944b-e07fc1f90ae7']) expect(isSecretShape(text), text).toBe(true);
    for (const text of ['@modelcontextprotocol/server-filesystem@2026.8.31', '/usr/local/share/some/where/1234567890', 'https://mcp.example.com/v1/endpoint', 'mcp_server_time', 'America/Los_Angeles', 'some-long-server-name-here', 'server.py']) expect(isSecretShape(text), text).toBe(false);
  });

  test('IM23 in arguments after their flag, beside its name, in headers and in `-e`; in JSON; in the path and query of an address', () => {
    const server = shown({ command: 'docker', args: ['run', '-e', 'API_KEY=abc-1', '-e', 'LANG', '--token', 'MARK-ARG-1', '--api-key=MARK-2', '--header', 'X-Team: MARK-3', '--port', '80', 'image'], env: { HEADERS: '{"Authorization": "Bearer MARK-4"}', MODE: 'prod' } });
    expect(server.values.filter((value) => value.secret).map((value) => [value.place, value.shown])).toEqual([['arg.3', 'API_KEY=••••'], ['arg.7', '••••'], ['arg.8', '--api-key=••••'], ['arg.10', 'X-Team: ••••'], ['env.HEADERS', '••••']]);
    expect(JSON.stringify(server)).not.toMatch(/MARK|abc-1/);
    expect(JSON.stringify(shown({ command: 'npx', args: ['mcp-remote', 'https://h.example/sse?token=MARK-5', '--url=https://h.example/?api_key=MARK-6'], env: { ENDPOINT: 'https://h.example/?key=MARK-7' } }))).not.toContain('MARK');
    expect(secretPartsOf('https://h.example/s/Zm9vYmFyMTIzNDU2Nzg5MGFiYw/mcp?key=k1&page=2&key=k2#x').map((part) => part.place)).toEqual(['url.path.2', 'url.query.key', 'url.query.key.2']);
    expect(decided({ command: 'docker', args: ['run', '--api-key=MARK-2', '--token', 'T-1'] })).toMatchObject({ spec: { args: ['run', '--api-key=${arg.2}', '--token'] }, args: [{ secret: 'T-1' }], placeholders: { 'arg.2': { secret: 'MARK-2' } } });
  });

  test('IM24 an address keeps its secret parts behind placeholders; its user part becomes a header', () => {
    expect(decided({ url: 'https://u:p%40w@h.example/mcp?key=K-1&x=1' })).toEqual({ spec: { kind: 'http', url: 'https://h.example/mcp?key=${url.query.key}&x=1' }, name: 'h.example', args: [], env: {}, headers: { Authorization: { secret: `Basic ${Buffer.from('u:p@w').toString('base64')}` } }, placeholders: { 'url.query.key': { secret: 'K-1' } }, home: undefined });
    expect(decided({ url: 'https://h.example/mcp?key=K-1' }, { secret: { 'url.query.key': false } })).toMatchObject({ spec: { url: 'https://h.example/mcp?key=K-1' }, placeholders: undefined });
  });

  test('IM25 what counts as a secret can be changed either way, and a value replaced', () => {
    const config = { command: 'x', env: { API_KEY: 'not-really', PLAIN: 'actually secret' } };
    expect(decided(config, { secret: { 'env.API_KEY': false, 'env.PLAIN': true } }).env).toEqual({ API_KEY: 'not-really', PLAIN: { secret: 'actually secret' } });
    expect(decided(config, { values: { 'env.API_KEY': { secret: 'new' }, 'env.PLAIN': '${literal}' } })).toMatchObject({ env: { API_KEY: { secret: 'new' }, PLAIN: '$${literal}' }, placeholders: {} });
  });
});

describe('placeholders', () => {
  const config = { command: 'node', args: ['s.js', '--key=${FX_TOKEN}'], env: { A_TOKEN: '${env:FX_TOKEN}', MODE: '${FX_MODE:-prod}', PRICE: '$5 and $${KEEP}', HOME_DIR: '${userHome}${/}x' } };
  test('IM30 each variable is asked for by name, with where it stands and whether it is set; nothing comes over before all are decided', () => {
    expect(shown(config).asks).toMatchObject([{ name: 'FX_TOKEN', variable: 'FX_TOKEN', present: true, secret: true, places: ['arg.2'] }, { name: 'env:FX_TOKEN', variable: 'FX_TOKEN', places: ['env.A_TOKEN'] }, { name: 'FX_MODE', present: false, default: 'prod', secret: false }]);
    expect(decide(config)).toMatchObject({ error: { code: 'import_undecided', details: { asks: ['FX_TOKEN', 'env:FX_TOKEN', 'FX_MODE'] } } });
    expect(JSON.stringify(shown(config))).not.toContain('tok-123');
  });

  test('IM31 what is to be read stays a placeholder; a value, the default or the text itself may stand in its place', () => {
    const host = { FX_TOKEN: { use: 'host' }, 'env:FX_TOKEN': { use: 'host' }, FX_MODE: { use: 'host' } } as const;
    expect(decided(config, { answers: host })).toMatchObject({ spec: { args: ['s.js', '--key=${FX_TOKEN}'] }, env: { A_TOKEN: '${env:FX_TOKEN}', MODE: '${FX_MODE:-prod}', PRICE: '$5 and $${KEEP}', HOME_DIR: '/home/u/x' }, placeholders: { FX_TOKEN: { variable: 'FX_TOKEN', secret: true }, 'env:FX_TOKEN': { variable: 'FX_TOKEN', secret: true }, FX_MODE: { variable: 'FX_MODE', secret: false } } });
    const other = decided(config, { answers: { FX_TOKEN: { use: 'value', value: { secret: 's-1' } }, 'env:FX_TOKEN': { use: 'literal' }, FX_MODE: { use: 'default' } } });
    expect(other).toMatchObject({ env: { A_TOKEN: '$${env:FX_TOKEN}', MODE: 'prod' }, placeholders: { FX_TOKEN: { secret: 's-1' } } });
  });

  test('IM32 inputs and folders are asked for; a password input is sealed once and used everywhere; what need not be given is left out', () => {
    const vscode = { inputs: [{ id: 'k', type: 'promptString', password: true }, { id: 'p', type: 'pickString', options: ['a', 'b'], default: 'a' }], servers: { s: { command: 'x', args: ['--dir', '${workspaceFolder}'], env: { A: 'Bearer ${input:k}', B: '${input:k}', C: '${input:p}' } } } };
    expect(shown(vscode).asks).toMatchObject([{ name: 'workspaceFolder', kind: 'place' }, { name: 'input:k', kind: 'input', secret: true }, { name: 'input:p', choices: ['a', 'b'], default: 'a' }]);
    expect(decide(vscode)).toMatchObject({ error: { details: { asks: ['workspaceFolder', 'input:k'] } } });
    expect(decided(vscode, { answers: { workspaceFolder: { use: 'value', value: '/w' }, 'input:k': { use: 'value', value: { secret: 'pw' } } } })).toMatchObject({ spec: { args: ['--dir', '/w'] }, env: { A: 'Bearer ${input:k}', B: '${input:k}', C: 'a' }, placeholders: { 'input:k': { secret: 'pw' } } });
    const registry = { name: 'io.x/y', packages: [{ registryType: 'npm', identifier: 'y', version: '1.0.0', packageArguments: [{ type: 'named', name: '--opt', format: 'string' }], environmentVariables: [{ name: 'OPTIONAL' }, { name: 'NEEDED', isRequired: true, isSecret: true }] }] };
    expect(decide(registry)).toMatchObject({ error: { details: { asks: ['input:NEEDED'] } } });
    expect(decided(registry, { answers: { 'input:NEEDED': { use: 'value', value: { secret: 'n' } } } })).toMatchObject({ spec: { kind: 'npm', package: 'y', version: '1.0.0' }, env: { NEEDED: '${input:NEEDED}' } });
  });

  test('IM33 the command, the folder and the host of an address are fixed when they come over, and a missing variable is named', () => {
    expect(decided({ url: 'https://${HOST}/mcp' }, { answers: { HOST: { use: 'host' } } })).toMatchObject({ spec: { url: 'https://h.example/mcp' }, placeholders: undefined });
    expect(decide({ command: '${GONE}/bin/x' }, { answers: { GONE: { use: 'host' } } })).toMatchObject({ error: { code: 'variable_missing', details: { variable: 'GONE' } } });
    expect(decided({ command: 'x', cwd: '${workspaceFolder}' }, { answers: { workspaceFolder: { use: 'value', value: '/w' } } }).spec).toEqual({ kind: 'command', command: 'x', cwd: '/w' });
  });

  test('IM34 a text that stands for a value is asked for; a program that is given a variable reads it itself', () => {
    const blank = { url: 'https://h.example', headers: { Authorization: 'Bearer <YOUR_TOKEN>' } };
    expect(shown(blank).asks).toMatchObject([{ kind: 'blank', description: '<YOUR_TOKEN>', secret: true }]);
    const [ask] = shown(blank).asks;
    expect(decided(blank, { answers: { [ask!.name]: { use: 'value', value: { secret: 't' } } } })).toMatchObject({ headers: { Authorization: `Bearer \${${ask!.name}}` } });
    expect(decided(blank, { answers: { [ask!.name]: { use: 'literal' } } }).headers).toEqual({ Authorization: 'Bearer <YOUR_TOKEN>' });
    expect(shown({ command: 'sh-like', args: ['${OWN}'], env: { OWN: 'x' } }).asks).toEqual([]);
  });

  test('IM35 a secret written out beside or behind a placeholder is sealed, and never shown', () => {
    const config = { command: 'x', env: { A: '${API_TOKEN:-sk-abcdefghijklmnopqrstuvwx}' } };
    expect(JSON.stringify(shown(config))).not.toContain('sk-abc');
    expect(decided(config, { answers: { API_TOKEN: { use: 'host' } } }).env).toEqual({ A: { secret: 'sk-abcdefghijklmnopqrstuvwx' } });
  });
});

test('IM40 the same server in two programs is one with two sources; another of the same name stays', () => {
  const a = { mcpServers: { files: { command: 'npx', args: ['-y', 'files'], env: { A: '1' } }, other: { command: 'x' } } };
  const b = { servers: { Files: { args: ['-y', 'files'], command: 'npx', env: { A: '1' }, autoApprove: ['*'] }, other: { command: 'y' } } };
  const servers = mergeSources([source(a, 'cursor'), source(b, 'vscode')], {});
  expect(servers.map((server) => [server.key, server.sources.map((from) => from.host)])).toEqual([['files', ['cursor', 'vscode']], ['other', ['cursor']], ['other-2', ['vscode']]]);
  expect(notBroughtOf(servers[0]!.prepared.unread)).toMatchObject([{ reason: 'grants' }]);
});

test('IM41 names that change how programs load code are left out unless they are named', () => {
  const config = { command: 'x', env: { NODE_OPTIONS: '--require /tmp/x', PATH: '/opt/bin', OK: '1' } };
  expect(shown(config).dangerous).toEqual(['NODE_OPTIONS', 'PATH']);
  expect(decided(config).env).toEqual({ OK: '1' });
  expect(decided(config, { dangerous: ['PATH'] }).env).toEqual({ PATH: '/opt/bin', OK: '1' });
});

test('IM42 nothing is lost: whatever is written in any of the shapes is brought over, or listed', () => {
  let n = 0;
  const leaf = fc.constant(null).map(() => `leaf${(n += 1)}x`);
  const inner = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(fc.constantFrom('A', 'B', 'name', '__proto__'), leaf, { maxKeys: 3 }));
  const key = fc.constantFrom('command', 'args', 'env', 'url', 'headers', 'cwd', 'type', 'transport', 'disabled', 'autoApprove', 'timeout', 'oauth', 'name', 'envFile', 'http_headers', 'env_vars', 'bearer_token', 'bearer_token_env_var', 'requestInit', 'serverUrl', 'whatever', 'tools', 'environment', 'enabled', '__proto__');
  const entry = fc.array(fc.tuple(key, inner), { minLength: 1, maxLength: 8 });
  const json = (pairs: readonly (readonly [string, unknown])[]): string => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  const wrap = fc.constantFrom((s: string) => `{"mcpServers":{"one":${s}}}`, (s: string) => `{"servers":{"one":${s}}}`, (s: string) => `{"mcp":{"servers":{"one":${s}}}}`, (s: string) => `{"mcpServers":[${s}]}`, (s: string) => `{"context_servers":{"one":${s}}}`);
  fc.assert(
    fc.property(entry, wrap, (pairs, around) => {
      const text = around(json([['command', 'run-me'], ...pairs]));
      const found = readText(text);
      if (!found.ok) throw new Error(JSON.stringify(found.error));
      const [server] = mergeSources([{ ...found.value, host: 'text', path: null, fault: null, absent: false }], {});
      const kept = JSON.stringify([server!.prepared.values.map((value) => value.prefix + value.text), server!.prepared.name, found.value.servers[0]!.name, server!.prepared.unread, server!.prepared.values.map((value) => value.name), found.value.unread]);
      const type = found.value.servers[0]!.fault?.message ?? '';
      for (const [word] of text.matchAll(/leaf\d+x/g)) if (!kept.includes(word) && !type.includes(word)) expect.fail(`${word} of ${text} is lost`);
    }),
    { numRuns: 400 },
  );
});
