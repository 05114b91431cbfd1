import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseNpmrc, readNpmConfig } from './npm-config.ts';

/** the machine's own global configuration stays out of the tests */
const alone = { npm_config_globalconfig: '/nonexistent' };

const home = (npmrc: string): string => {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-npmrc-'));
  writeFileSync(join(dir, '.npmrc'), npmrc);
  return dir;
};

test("M31 registry, scopes, credentials and proxy come from the user's .npmrc", () => {
  const dir = home(['; a comment', '# another', 'registry = http://127.0.0.1:1/', '@acme:registry=http://127.0.0.1:2/', '//127.0.0.1:2/:_authToken=${TOKEN}', 'proxy=http://127.0.0.1:3', 'strict-ssl=false', 'fetch-retries=0', 'ignore-scripts=false', 'ca[]="one"', 'ca[]=two'].join('\n'));
  const options = readNpmConfig({ ...alone, TOKEN: 't0k' }, dir, 'linux');
  // the certificates of a registry are checked whatever it says
  expect(options).not.toHaveProperty('strictSSL');
  expect(options).toMatchObject({ registry: 'http://127.0.0.1:1/', '@acme:registry': 'http://127.0.0.1:2/', '//127.0.0.1:2/:_authToken': 't0k', proxy: 'http://127.0.0.1:3', fetchRetries: 0, ca: ['one', 'two'] });
  expect(Object.keys(options)).not.toContain('ignoreScripts');
});

test('M31 the environment wins over files, and names another user file', () => {
  const dir = home('registry=http://127.0.0.1:1/\n');
  expect(readNpmConfig({ ...alone, npm_config_registry: 'http://127.0.0.1:9/' }, dir, 'linux')).toMatchObject({ registry: 'http://127.0.0.1:9/' });
  expect(readNpmConfig({ ...alone, NPM_CONFIG_REGISTRY: 'http://127.0.0.1:8/', npm_config_fetch_retries: '1' }, dir, 'linux')).toMatchObject({ registry: 'http://127.0.0.1:8/', fetchRetries: 1 });
  const other = join(home('registry=http://127.0.0.1:7/\n'), '.npmrc');
  expect(readNpmConfig({ ...alone, npm_config_userconfig: other }, dir, 'linux')).toMatchObject({ registry: 'http://127.0.0.1:7/' });
});

test('M31 without any configuration the public registry is left to pacote', () => {
  expect(readNpmConfig(alone, '/nonexistent', 'linux')).not.toHaveProperty('registry');
});

test('M31 an .npmrc reads as npm reads it', () => {
  const entries = parseNpmrc("quoted = 'a b'\nflag\n[section]\nplain=x ; note\nunset=${NOPE}\nempty=${NOPE?}\n", {});
  expect(Object.fromEntries(entries)).toEqual({ quoted: 'a b', flag: 'true', plain: 'x', unset: '${NOPE}', empty: '' });
});
