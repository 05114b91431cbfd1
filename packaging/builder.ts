// The computed part of electron-builder's configuration. Nothing of a machine and no address is in here: a feed, its key and the names of those who sign come from the
// environment of the build.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Arch, type Configuration } from 'electron-builder';
import { placeNode } from './node-binary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
type Env = Readonly<Record<string, string | undefined>>;

/** A feed is https and comes with the key that proves it; neither, or both. Throws where one is missing. */
export const updateFeed = (env: Env): { readonly url: string; readonly publicKey: string } | null => {
  const url = env['GANTRY_UPDATE_URL'] ?? '';
  const publicKey = env['GANTRY_UPDATE_PUBLIC_KEY'] ?? '';
  if (url === '' && publicKey === '') return null;
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:' || publicKey === '') throw new Error('GANTRY_UPDATE_URL (https) and GANTRY_UPDATE_PUBLIC_KEY (Ed25519, SPKI DER, base64) belong together.');
  return { url, publicKey };
};

/** What is put into the archive. Production packages come by themselves; those of the window are in its bundle already. */
const FILES = [
  'package.json',
  'dist/electron/**',
  'dist/renderer/**',
  'assets/**',
  '!**/.gantry-build',
  '!**/*.{map,ts,mts,cts,tsx,tsbuildinfo}',
  '!**/{test,tests,__tests__,spec,fixtures}/**',
  '!**/*.{test,spec}.{js,cjs,mjs}',
  '!node_modules/better-sqlite3/{deps,src,bin}/**',
  '!node_modules/{pino,undici,socks}/{docs,benchmarks,examples}/**',
];

/** What electron-builder.yml cannot say by itself: it extends this. */
export const computed = (env: Env, unneeded: readonly string[]): Configuration => {
  const feed = updateFeed(env);
  const publisher = env['GANTRY_WINDOWS_PUBLISHER'];
  return {
    // no `files` of a system: where they only leave out, electron-builder takes the whole folder in
    files: [...FILES, ...unneeded.map((name) => `!**/node_modules/${name}/**`)],
    ...(feed ? { extraMetadata: { gantry: { updateFeed: feed } } } : {}),
    beforePack: async ({ electronPlatformName, arch }) => void (await placeNode({ platform: electronPlatformName, arch: Arch[arch], folder: join(root, 'dist', 'node', `${electronPlatformName}-${Arch[arch]}`), given: env['GANTRY_NODE_BINARY'] })),
    publish: feed ? [{ provider: 'generic', url: feed.url, channel: 'latest' }] : null,
    mac: { notarize: env['APPLE_API_KEY'] !== undefined },
    ...(publisher ? { win: { signtoolOptions: { publisherName: publisher, signingHashAlgorithms: ['sha256'] } } } : {}),
  };
};
