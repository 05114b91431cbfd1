import { expect, test } from 'vitest';
import type { Launch } from '../../shared/server.ts';
import { CONCEALED, concealLaunch } from './launch-words.ts';

const STDIO: Launch = {
  kind: 'stdio', command: '/own/a/b/canarybin', args: ['/own/a/b/server.mjs', '--root=/own/data', 'stdio', '-y', 'production-canary', { secretRef: 'r' }, '/x/${HOME}/y'], cwd: '/own/a/b', home: '/data/homes/srv',
  env: { REGION: { plain: 'eu-canary-1' }, DEBUG: { plain: '1' }, KEY: { secretRef: 's' } }, inheritedEnv: [], fingerprint: 'f',
};
const HTTP: Launch = { kind: 'http', url: 'http://127.0.0.1:40853/mcp', headers: { 'X-Team': { plain: 'team-canary' }, 'X-On': { plain: 'true' } }, fingerprint: 'f' };

test('AC07 RS03 what a server repeats of its own configuration is concealed where it stands whole, and nothing else is', () => {
  const hide = (text: string): string => concealLaunch(text, STDIO);
  expect(hide('ENOENT /own/a/b/canarybin at /own/a/b/server.mjs:3')).toBe(`ENOENT ${CONCEALED} at ${CONCEALED}:3`);
  expect(hide('cannot read /own/data in region eu-canary-1, mode production-canary, from /own/a/b')).toBe(`cannot read ${CONCEALED} in region ${CONCEALED}, mode ${CONCEALED}, from ${CONCEALED}`);
  expect(hide('crashed in [path]/server.mjs:3, started by [path]/canarybin, see [path]/other.mjs')).toBe(`crashed in ${CONCEALED}:3, started by ${CONCEALED}, see [path]/other.mjs`);
  for (const kept of ['stdio -y 1: no such city', '/own/database is full', 'pre-eu-canary-1-post', '/x/home/y']) expect(hide(kept)).toBe(kept);
  expect(concealLaunch('fetch http://127.0.0.1:40853/mcp failed, 127.0.0.1:40853 refused; X-Team team-canary is true', HTTP)).toBe(`fetch ${CONCEALED} failed, ${CONCEALED} refused; X-Team ${CONCEALED} is true`);
  expect(concealLaunch('port 127.0.0.1:408533', HTTP)).toBe('port 127.0.0.1:408533');
  expect(concealLaunch('as it is', null)).toBe('as it is');
});

test('AC07 RS03 a line of JSON stays one, also where a value had to be quoted in it', () => {
  const windows: Launch = { ...STDIO, command: 'C:\\Apps\\canary.exe', args: ['say "canary" twice'] };
  const line = JSON.stringify({ error: 'spawn C:\\Apps\\canary.exe with say "canary" twice' });
  expect(JSON.parse(concealLaunch(line, windows))).toEqual({ error: `spawn ${CONCEALED} with ${CONCEALED}` });
});
