import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));
const CANARY = 'kanarienvogel-91bd"\\-77f0';

let gantry: Gantry;
beforeEach(() => {
  gantry = new Gantry();
});
afterEach(() => gantry.dispose());

test('DA07 DA08 a report has the facts, and no secret, value, address or name of this account, computer or folder in it', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  await gantry.ask('servers:add', {
    serverId: 'rec',
    spec: { kind: 'command', command: process.execPath, args: [fixture, 'plain-argument-here', gantry.dataDir] },
    env: { RECORD_FILE: `${gantry.dataDir}/r.jsonl`, API_TOKEN: { secret: CANARY }, PLAIN_VARIABLE: 'plain-value-here' },
  });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('servers:add', { serverId: 'far', spec: { kind: 'http', url: 'http://127.0.0.1:1/private-path-here' }, headers: { Authorization: { secret: `Bearer ${CANARY}` } } });
  await gantry.ask('servers:connect', { serverId: 'far' });
  await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:look', input: { text: CANARY } });
  await gantry.ask('calls:try', { capabilityId: 'mcp:rec:tool:none', input: {} });
  await gantry.ask('settings:set', { marketFilters: 'typed-text-here' });

  const { fileName, text } = await gantry.ask('report:make', {});
  expect(fileName).toMatch(/^gantry-report-\d{4}-.*Z\.json$/);
  const report = JSON.parse(text);
  expect(report).toMatchObject({ format: 'gantry-report/1', system: { platform: process.platform }, health: { versions: { gantry: expect.any(String) } }, settings: { theme: 'system', marketFilters: '(set)' } });
  expect(report.servers).toMatchObject([{ id: 'rec', kind: 'command', state: 'ready', arguments: 3, variables: 3 }, { id: 'far', kind: 'http', address: 'http:', state: 'unavailable', code: expect.any(String) }]);
  expect(report.failures.map((one: { code: string }) => one.code).toSorted()).toEqual(['secret_in_input', 'unknown_capability']);
  expect(report.log.length).toBeGreaterThan(0);
  expect(Object.keys(report.serverLogs)).toEqual(['rec', 'far']);

  const hidden = ['kanarienvogel', Buffer.from(CANARY).toString('base64').slice(4, 20), 'plain-argument-here', 'plain-value-here', 'private-path-here', 'typed-text-here', gantry.dataDir];
  for (const one of hidden) expect(text, one).not.toContain(one);
  for (const name of [userInfo().username, hostname()]) expect(text).not.toMatch(new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`));
});

test('DA01 DA04 DA06 the data folder is measured and cleaned through the command; a browser window has no file manager', async () => {
  await gantry.start();
  const { overview } = await gantry.ask('data:measure', {});
  expect(overview).toMatchObject({ dataDir: gantry.dataDir, cleanup: [] });
  expect(overview.totalBytes).toBeGreaterThan(0);
  expect(await gantry.rpc('data:cleanup', { ids: ['orphan_package:apps/none'] })).toMatchObject({ ok: false, error: { code: 'not_found', field: '/ids/0' } });
  expect(await gantry.rpc('data:open', {})).toMatchObject({ ok: false, error: { code: 'not_in_this_shell', details: { path: gantry.dataDir } } });
});
