import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHost, type Host } from '../main/host.ts';
import type { InputOf, OutputOf, RequestName } from '../shared/contract/contract.ts';
import type { Fault } from '../shared/fault.ts';
import type { Result } from '../shared/result.ts';

let host: Host;
let folder: string;
const path = process.env['PATH'] ?? '';
const without = (program: string): string => path.split(delimiter).filter((one) => !existsSync(join(one, program))).join(delimiter);

const open = async (searched: string): Promise<void> => {
  process.env['PATH'] = searched;
  const created = await createHost({ dataDir: join(folder, 'data'), shell: 'test', approvals: 'script' });
  if (!created.ok) throw new Error(created.error.message);
  host = created.value;
};
const ask = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> => (await host.handle(name, input, { kind: 'script', canDecide: false })) as Result<OutputOf<N>, Fault>;
const valueOf = <T>(result: Result<T, Fault>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-market-'));
});
afterEach(async () => {
  process.env['PATH'] = path;
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

test('M68 an app that uvx starts says what is missing, and is not added', async () => {
  await open(without('uvx'));
  const { entry, preflight } = valueOf(await ask('market:get', { entryId: 'time' }));
  expect(preflight).toMatchObject({ program: 'uvx', found: null, remedy: expect.stringContaining('uv') });
  const preview = valueOf(await ask('servers:preview', { spec: entry.spec, marketEntryId: 'time' }));
  expect(preview.warnings).toContainEqual({ code: 'program_missing', detail: 'uvx' });
  expect(preview.launch).toMatchObject({ kind: 'stdio', command: 'uvx', args: ['--from', `mcp-server-time==${entry.package?.registry === 'pypi' ? entry.package.version : ''}`, 'mcp-server-time'] });
  expect(await ask('servers:add', { spec: entry.spec, marketEntryId: 'time' })).toMatchObject({ ok: false, error: { code: 'program_missing', details: { program: 'uvx' } } });
  expect(valueOf(await ask('servers:list', {})).servers).toEqual([]);
});

test('M68 with its program there it is added, with the exact launch that was shown', async () => {
  const uvx = join(mkdtempSync(join(folder, 'bin-')), 'uvx');
  writeFileSync(uvx, '#!/bin/sh\nexit 0\n');
  chmodSync(uvx, 0o755);
  await open([join(uvx, '..'), without('uvx')].join(delimiter));
  const { entry, preflight } = valueOf(await ask('market:get', { entryId: 'time' }));
  expect(preflight).toMatchObject({ program: 'uvx', found: uvx });
  const preview = valueOf(await ask('servers:preview', { spec: entry.spec, marketEntryId: 'time' }));
  expect(preview.warnings.map((one) => one.code)).not.toContain('program_missing');
  const { serverId } = valueOf(await ask('servers:add', { spec: entry.spec, marketEntryId: 'time' }));
  const { server } = valueOf(await ask('servers:get', { serverId }));
  expect(server.launch.fingerprint).toBe(preview.launch.fingerprint);
  expect(server.launch.kind === 'stdio' && server.launch.command).toBe(uvx);
  expect(valueOf(await ask('market:get', { entryId: 'time' })).entry.installedServerIds).toEqual([serverId]);
});

test('M67 a withdrawn app is refused before anything is fetched, and its launch carries the warning', async () => {
  await open(path);
  const { entry } = valueOf(await ask('market:get', { entryId: 'github-archived' }));
  expect(entry.withdrawn).toMatchObject({ instead: 'github-remote' });
  expect(await ask('servers:add', { spec: entry.spec, marketEntryId: entry.id })).toMatchObject({ ok: false, error: { code: 'app_withdrawn', field: '/acceptWithdrawn', details: { instead: 'github-remote' } } });
  expect(valueOf(await ask('servers:preview', { spec: entry.spec, marketEntryId: entry.id })).warnings).toContainEqual({ code: 'app_withdrawn', detail: entry.withdrawn?.since });
  // written by hand it is warned of, not held back
  expect(valueOf(await ask('servers:preview', { spec: entry.spec })).warnings.map((one) => one.code)).toContain('app_withdrawn');
  expect(valueOf(await ask('servers:list', {})).servers).toEqual([]);
});

test('M67 accepting it lifts the refusal', async () => {
  await open(path);
  const spec = { kind: 'npm', package: '@modelcontextprotocol/server-github', version: 'not a version at all!' } as const;
  expect(await ask('servers:add', { spec, marketEntryId: 'github-archived', acceptWithdrawn: true })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: expect.stringContaining('version') } });
});

test('M63 the market tells what an app said when it was connected', async () => {
  await open(path);
  const { entry, observed, preflight } = valueOf(await ask('market:get', { entryId: 'filesystem' }));
  expect(preflight).toBeNull();
  expect(observed?.tools.map((tool) => tool.name)).toContain('write_file');
  expect(entry.observed).toMatchObject({ tools: observed?.tools.length, sizeBytes: observed?.sizeBytes });
  expect(valueOf(await ask('market:get', { entryId: 'linear' }))).toMatchObject({ observed: null, entry: { verified: false, unverified: { code: 'no_route' } } });
});

test('M69 a folder that an app asks for, and the one it starts in, is refused by its field unless its path is whole, wherever it comes from', async () => {
  await open(path);
  const npm = valueOf(await ask('market:get', { entryId: 'filesystem' })).entry.spec;
  const files = (...args: string[]) => ({ ...npm, args }) as InputOf<'servers:add'>['spec'];
  const refusal = (field: string) => ({ ok: false, error: { code: 'invalid_request', field, remedy: expect.stringContaining('whole path') } });
  for (const relative of ['documents', './documents', '~/documents', '.']) {
    expect(await ask('servers:preview', { spec: files('/srv/whole', relative), marketEntryId: 'filesystem' })).toMatchObject(refusal('/spec/args/1'));
    expect(await ask('servers:add', { spec: files(relative), marketEntryId: 'filesystem' })).toMatchObject(refusal('/spec/args/0'));
  }
  // by hand, too: the launch is that of the app
  expect(await ask('servers:add', { spec: files('documents') })).toMatchObject(refusal('/spec/args/0'));
  expect(await ask('servers:add', { spec: files(), args: ['/srv/whole', { secret: 'documents' }] })).toMatchObject(refusal('/args/1'));
  for (const whole of ['/srv/whole', 'C:\\documents', '\\\\server\\share', '${HOME}/documents']) expect(await ask('servers:preview', { spec: files(whole), marketEntryId: 'filesystem' })).toMatchObject({ ok: true });

  // what is asked for in the environment; a working folder; later changes
  const git = valueOf(await ask('market:get', { entryId: 'git' })).entry;
  const variable = git.inputs.find(({ format }) => format === 'directory')!.name;
  expect(await ask('servers:preview', { spec: git.spec, env: { [variable]: 'projects' }, marketEntryId: 'git' })).toMatchObject(refusal(`/env/${variable}`));
  const time = valueOf(await ask('market:get', { entryId: 'time' })).entry.spec as Extract<InputOf<'servers:add'>['spec'], { kind: 'command' }>;
  const withFolder = { ...time, cwd: 'somewhere' };
  expect(await ask('servers:preview', { spec: withFolder, marketEntryId: 'time' })).toMatchObject(refusal('/spec/cwd'));
  const { serverId } = valueOf(await ask('servers:add', { spec: { ...time, cwd: folder }, consent: false }));
  expect(await ask('servers:update', { serverId, cwd: 'somewhere' })).toMatchObject(refusal('/cwd'));
  expect(valueOf(await ask('servers:get', { serverId })).server.spec).toMatchObject({ cwd: folder });

  const text = JSON.stringify({ mcpServers: { clock: { command: 'uvx', args: time.args, cwd: 'somewhere' } } });
  const brought = valueOf(await ask('import:apply', { source: { text }, servers: [{ key: 'clock', onConflict: 'keep_both' }] }));
  expect(brought.results).toMatchObject([{ outcome: 'failed', fault: { code: 'invalid_request', field: '/spec/cwd' } }]);
});
