import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processesWith, until } from './support/census.ts';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));

let gantry: Gantry;
beforeEach(() => {
  gantry = new Gantry();
});
afterEach(() => gantry.dispose());

const filesBelow = (dir: string): string[] => readdirSync(dir).flatMap((name) => (statSync(join(dir, name)).isDirectory() ? filesBelow(join(dir, name)) : [join(dir, name)]));
/** A folder with a running server, a secret, a grant, a rule, a run and changed settings. */
const lived = async (): Promise<void> => {
  await gantry.ask('servers:add', { serverId: 'rec', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(gantry.dataDir, 'r.jsonl'), TOKEN: { secret: 'kanarienvogel-5521' } } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:look', tier: 'read_only', admit: true });
  await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:look', input: { text: 'x' }, wait: true });
  await gantry.ask('settings:set', { theme: 'dark', onboardingDone: true });
};
const asNew = async (): Promise<void> => {
  expect(await gantry.ask('servers:list', {})).toEqual({ servers: [] });
  expect(await gantry.ask('runs:list', {})).toMatchObject({ runs: [] });
  expect(await gantry.ask('secrets:list', {})).toEqual({ secrets: [] });
  expect(await gantry.ask('settings:get', {})).toMatchObject({ settings: { theme: 'system', onboardingDone: false } });
  expect(await gantry.ask('secrets:status', {})).toMatchObject({ state: 'not_set_up', count: 0 });
};

test('DA33 DA34 everything is reset in a running host: servers end, nothing is left, and it answers as on the first start', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  await lived();
  expect(await gantry.rpc('data:reset', { what: 'everything', database: 'remove', confirm: 'reset' as 'RESET' })).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
  expect((await gantry.ask('servers:list', {})).servers).toHaveLength(1);
  expect(await gantry.ask('data:reset', { what: 'everything', database: 'remove', confirm: 'RESET' })).toEqual({ what: 'everything', setAside: null });
  expect((await gantry.ask('health:status', {})).notices).toMatchObject([{ code: 'data_reset', details: { what: 'everything', setAside: null } }]);
  await asNew();
  await until('the server has ended', () => processesWith(gantry.dataDir).every((pid) => pid === gantry.pid));
  await gantry.stop();
  expect(readdirSync(gantry.dataDir).filter((name) => !/^(gantry\.db|instance\.|logs$|environment-facts)/.test(name))).toEqual([]);
  for (const file of filesBelow(gantry.dataDir)) expect(readFileSync(file).includes('kanarienvogel'), file).toBe(false);
  await gantry.start();
  await asNew();
});

test('DA33 the database is set aside without its secrets where that was chosen, and evidence in it can still be read', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  await lived();
  const { setAside } = await gantry.ask('data:reset', { what: 'everything', database: 'set_aside', confirm: 'RESET' });
  await asNew();
  expect(readdirSync(setAside!)).toEqual(['gantry.db']);
  const aside = readFileSync(join(setAside!, 'gantry.db'));
  expect([aside.includes('mcp:rec:tool:look'), aside.includes('"kdf":"scrypt"')]).toEqual([true, false]);
  expect((await gantry.ask('data:measure', {})).overview.cleanup.map((item) => item.kind)).toEqual(['set_aside_data']);
});

test('DA33 DA35 settings alone are reset, and nothing else', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  await lived();
  expect(await gantry.ask('data:reset', { what: 'settings', confirm: 'RESET' })).toEqual({ what: 'settings', setAside: null });
  expect(await gantry.ask('settings:get', {})).toMatchObject({ settings: { theme: 'system', onboardingDone: false } });
  expect((await gantry.ask('servers:list', {})).servers).toMatchObject([{ id: 'rec', state: 'ready' }]);
  expect((await gantry.ask('health:status', {})).notices).toMatchObject([{ code: 'data_reset', details: { what: 'settings' } }]);
  expect(await gantry.ask('secrets:status', {})).toMatchObject({ count: 1 });
});

test('DA34 the command resets a folder on which no Gantry runs', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  await lived();
  await gantry.stop();
  await gantry.ask('data:reset', { what: 'everything', database: 'remove', confirm: 'RESET' });
  expect(existsSync(join(gantry.dataDir, 'replacement.json'))).toBe(false);
  await asNew();
});
