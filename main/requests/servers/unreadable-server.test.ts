import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InputOf, OutputOf, RequestName } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import { systemClock } from '../../clock.ts';
import { createHost, type Host } from '../../host.ts';
import { openStore } from '../../store/open.ts';

let dataDir: string;
let host: Host;
const rpc = async <N extends RequestName>(name: N, input: InputOf<N>) => (await host.handle(name, input, { kind: 'script', canDecide: true })) as Result<OutputOf<N>, Fault>;
const ask = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> => {
  const answer = await rpc(name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.value;
};
const open = async (): Promise<void> => {
  const created = await createHost({ dataDir, shell: 'test', approvals: 'script' });
  if (!created.ok) throw new Error(created.error.message);
  host = created.value;
};
/** What a hand, or a newer Gantry, does to the file between two starts. */
const alter = async (...statements: readonly string[]): Promise<void> => {
  await host.close();
  const opened = await openStore({ dataDir, clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.store.write((db) => statements.forEach((sql) => db.run(sql)));
  opened.value.store.close();
  await open();
};

beforeEach(async () => {
  vi.stubEnv('GANTRY_KEYCHAIN', 'off');
  dataDir = join(mkdtempSync(join(tmpdir(), 'gantry-unread-')), 'data');
  await open();
  await ask('secrets:unlock', { passphrase: 'a long passphrase' });
  for (const serverId of ['typo', 'newer', 'sound']) {
    await ask('servers:add', { serverId, consent: false, required: serverId === 'newer', spec: { kind: 'command', command: process.execPath }, env: { KEY: { secret: `canary-${serverId}` } } });
  }
  await alter(`UPDATE servers SET env_json = '{"KEY": typed-by-hand' WHERE id = 'typo'`, `UPDATE servers SET spec_json = '{"kind":"vessel","image":"x"}' WHERE id = 'newer'`);
});
afterEach(async () => {
  await host.close();
  vi.unstubAllEnvs();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

test('H17 a server whose row cannot be read is listed with a coded reason and hinders no other', async () => {
  const { servers } = await ask('servers:list', {});
  expect(servers.map(({ id, spec }) => [id, spec.kind])).toEqual([['sound', 'command'], ['typo', 'unreadable'], ['newer', 'unreadable']]);
  expect(servers.slice(1).map(({ state, code }) => [state, code])).toEqual([['unavailable', 'row_unreadable'], ['unavailable', 'row_unreadable']]);
  expect(servers.slice(1).map(({ status }) => status.state === 'unavailable' && status.fault.details?.['columns'])).toEqual([['env_json'], ['spec_json']]);
  expect(JSON.stringify(servers)).not.toContain('typed-by-hand');
  await ask('secrets:unlock', { passphrase: 'a long passphrase' });
  expect((await ask('servers:get', { serverId: 'sound' })).server.id).toBe('sound');
  expect(await ask('health:status', {})).toMatchObject({ ready: false, servers: { total: 3 }, required: [{ serverId: 'newer', code: 'row_unreadable' }], notices: [{ code: 'row_unreadable' }] });
  for (const refused of [
    await rpc('servers:get', { serverId: 'typo' }),
    await rpc('servers:connect', { serverId: 'typo' }),
    await rpc('servers:enable', { serverId: 'typo' }),
    await rpc('servers:update', { serverId: 'typo', name: 'x' }),
    await rpc('servers:discover', { serverId: 'typo' }),
  ]) {
    expect(refused).toMatchObject({ ok: false, error: { code: 'row_unreadable', field: '/serverId', remedy: expect.any(String) } });
  }
  expect(await rpc('servers:add', { serverId: 'typo', spec: { kind: 'command', command: 'x' } })).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await rpc('servers:get', { serverId: 'nowhere' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('H17 it can be removed, with its secrets and its home, and its id is free again', async () => {
  const home = join(dataDir, 'homes', 'typo');
  mkdirSync(home, { recursive: true });
  await ask('secrets:unlock', { passphrase: 'a long passphrase' });
  await ask('servers:remove', { serverId: 'typo' });
  await ask('servers:remove', { serverId: 'newer' });
  expect((await ask('servers:list', {})).servers.map(({ id }) => id)).toEqual(['sound']);
  expect((await ask('secrets:list', {})).secrets.map(({ serverId }) => serverId)).toEqual(['sound']);
  expect(existsSync(home)).toBe(false);
  expect(await rpc('servers:remove', { serverId: 'typo' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  await ask('servers:add', { serverId: 'typo', consent: false, spec: { kind: 'command', command: 'x' } });
  await host.close();
  await open();
  expect((await ask('servers:list', {})).servers.map(({ id }) => id).toSorted()).toEqual(['sound', 'typo']);
  expect((await ask('health:status', {})).notices).toEqual([]);
});
