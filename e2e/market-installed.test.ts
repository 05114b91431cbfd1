import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHost, type Host } from '../main/host.ts';
import type { InputOf, OutputOf, RequestName } from '../shared/contract/contract.ts';
import { LocalRegistry } from './fixtures/local-registry.ts';
import { publishApp } from './fixtures/published-app.ts';

let registry: LocalRegistry;
let folder: string;
let host: Host;
const ask = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> => {
  const answer = await host.handle(name, input, { kind: 'script', canDecide: false });
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.value as OutputOf<N>;
};

beforeEach(async () => {
  registry = await LocalRegistry.start();
  folder = mkdtempSync(join(tmpdir(), 'gantry-installed-'));
  vi.stubEnv('npm_config_registry', registry.url);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'uvx'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(bin, 'uvx'), 0o755);
  vi.stubEnv('PATH', [bin, process.env['PATH']].join(delimiter));
  const created = await createHost({ dataDir: join(folder, 'data'), shell: 'test', approvals: 'script' });
  if (!created.ok) throw new Error(created.error.message);
  host = created.value;
});
afterEach(async () => {
  await host.close();
  await registry.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('M75 the market knows at once what was installed, in which version, and what has a newer one', async () => {
  const { entry } = await ask('market:get', { entryId: 'hello-world' });
  if (entry.spec.kind !== 'npm') throw new Error('an npm entry');
  const { package: name, version: newest } = entry.spec;
  publishApp(registry, name, newest!);
  publishApp(registry, name, '0.0.1');
  const browse = async () => (await ask('market:browse', { query: entry.name, limit: 1 })).cards[0]!;
  expect(await browse()).toMatchObject({ id: 'hello-world', installed: [] });
  expect((await ask('market:browse', { facets: { presence: ['installed'] } })).found).toBe(0);

  const { serverId } = await ask('servers:add', { spec: { kind: 'npm', package: name, version: '0.0.1' } });
  expect((await browse()).installed).toEqual([{ serverId, version: '0.0.1', update: newest, sizeBytes: expect.any(Number) }]);
  const { counts } = await ask('market:browse', {});
  expect([counts.presence.installed, counts.presence.update]).toEqual([1, 1]);
  expect((await ask('servers:list', {})).servers[0]).toMatchObject({ marketEntryId: 'hello-world' });

  await ask('servers:update', { serverId, version: newest! });
  expect((await ask('market:get', { entryId: 'hello-world' })).entry.installed).toMatchObject([{ serverId, version: newest, update: null }]);
  await ask('servers:remove', { serverId });
  expect((await ask('market:search', { query: entry.name })).entries[0]).toMatchObject({ installed: [], installedServerIds: [] });
});

test('M75 a package of PyPI is told apart by the version in its arguments', async () => {
  const { entry } = await ask('market:get', { entryId: 'time' });
  if (entry.spec.kind !== 'command' || entry.package?.registry !== 'pypi') throw new Error('a PyPI entry');
  const { name, program, version } = entry.package;
  const older = { ...entry.spec, args: ['--from', `${name}==0.0.1`, program] };
  const { serverId } = await ask('servers:add', { spec: older, marketEntryId: 'time', args: ['--local-timezone=UTC'], consent: false });
  const installed = async () => (await ask('market:get', { entryId: 'time' })).entry.installed;
  expect(await installed()).toEqual([{ serverId, version: '0.0.1', update: version, sizeBytes: null }]);
  // as the window brings it to the version of the catalog
  await ask('servers:update', { serverId, args: ['--from', `${name}==${version}`, program, '--local-timezone=UTC'] });
  expect(await installed()).toEqual([{ serverId, version, update: null, sizeBytes: null }]);
  expect((await ask('servers:get', { serverId })).server.launch).toMatchObject({ args: ['--from', `${name}==${version}`, program, '--local-timezone=UTC'] });
});

test('M73 a list is read a part at a time, each part where the one before ended', async () => {
  const all = (await ask('market:search', {})).entries.map(({ id }) => id);
  const parts: string[] = [];
  for (let cursor: number | null = 0; cursor !== null;) {
    const { cards, nextCursor, found }: OutputOf<'market:browse'> = await ask('market:browse', { cursor, limit: 37 });
    parts.push(...cards.map(({ id }) => id));
    expect(found).toBe(all.length);
    cursor = nextCursor;
  }
  expect(parts).toEqual(all);
  expect((await ask('market:search', { query: 'git', facets: { kind: ['remote'] }, sort: 'name', limit: 1 })).entries[0]?.kind).toBe('remote');
});
