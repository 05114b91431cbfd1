import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { DebugLogger } from 'builder-util';
import type { Configuration } from 'electron-builder';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { GANTRY_VERSION } from '../main/host.ts';
import { computed, updateFeed } from './builder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { validateConfiguration } = createRequire(import.meta.url)('app-builder-lib/out/util/config/config.js') as { validateConfiguration(config: Configuration, log: DebugLogger): Promise<void> };
const fixed = load(readFileSync(`${root}electron-builder.yml`, 'utf8')) as Configuration;
/** As the builder merges the file with what it extends; that it does, the package of the full run shows. */
const configuration = (env: Parameters<typeof computed>[0], unneeded: readonly string[]): Configuration => {
  const { extends: extended, ...own } = fixed;
  expect(extended).toBe('packaging/builder.config.ts');
  const made = computed(env, unneeded);
  return { ...made, ...own, mac: { ...made.mac, ...own.mac }, win: { ...made.win, ...own.win } };
};
const validate = (config: Configuration): Promise<void> => validateConfiguration(config, new DebugLogger(false));
const FEED = { GANTRY_UPDATE_URL: 'https://updates.example/gantry/', GANTRY_UPDATE_PUBLIC_KEY: 'MCowBQYDK2VwAyEA' };

test('B01 the configuration is valid by the schema of the builder, with and without a feed', async () => {
  await validate(configuration({}, []));
  await validate(configuration({ ...FEED, GANTRY_WINDOWS_PUBLISHER: 'CN=Gantry', APPLE_API_KEY: 'x' }, ['react']));
  await expect(validate({ ...configuration({}, []), electronFuse: {} } as Configuration)).rejects.toThrow(/electronFuse/);
  const { linux, mac, win } = configuration({}, []);
  expect([linux, mac, win].map((one) => (one?.target as { target: string }[]).map(({ target }) => target))).toEqual([['AppImage', 'deb'], ['dmg', 'zip'], ['nsis']]);
});

test('B02 what lets the binary run other code is off, what binds it to its archive is on', () => {
  expect(configuration({}, []).electronFuses).toMatchObject({
    runAsNode: false, enableNodeOptionsEnvironmentVariable: false, enableNodeCliInspectArguments: false, grantFileProtocolExtraPrivileges: false, loadBrowserProcessSpecificV8Snapshot: false,
    onlyLoadAppFromAsar: true, enableEmbeddedAsarIntegrityValidation: true, enableCookieEncryption: true,
  });
  expect(configuration({}, [])).toMatchObject({ asar: true, mac: { hardenedRuntime: true }, win: { verifyUpdateCodeSignature: true } });
  const entitled = readFileSync(`${root}packaging/entitlements.mac.plist`, 'utf8').match(/<key>[^<]+/g);
  expect(entitled).toEqual(['<key>com.apple.security.cs.allow-jit']);
});

test('B09 the version stands in package.json alone', () => {
  expect(GANTRY_VERSION).toBe(manifest.version);
  expect(configuration({}, [])).not.toHaveProperty('extraMetadata');
  expect(configuration({}, []).buildVersion).toBeUndefined();
});

test('B10 gantry: is the link of Gantry on each system', () => {
  expect(configuration({}, []).protocols).toEqual([{ name: 'Gantry link', schemes: ['gantry'], role: 'Viewer' }]);
});

test('B11 a feed is https and comes with its key, or there is none', () => {
  expect(configuration({}, []).publish).toBeNull();
  expect(configuration(FEED, [])).toMatchObject({ publish: [{ provider: 'generic', url: FEED.GANTRY_UPDATE_URL }], extraMetadata: { gantry: { updateFeed: { url: FEED.GANTRY_UPDATE_URL, publicKey: FEED.GANTRY_UPDATE_PUBLIC_KEY } } } });
  for (const half of [{ GANTRY_UPDATE_URL: FEED.GANTRY_UPDATE_URL }, { GANTRY_UPDATE_PUBLIC_KEY: 'x' }, { ...FEED, GANTRY_UPDATE_URL: 'http://updates.example/' }, { ...FEED, GANTRY_UPDATE_URL: 'not an address' }]) {
    expect(() => updateFeed(half)).toThrow(/belong together/);
  }
});
