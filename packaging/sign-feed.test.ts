import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSignedBy } from '../main/shell/electron/signed-feed.ts';
import { signFeeds } from './sign-feed.ts';

const pair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'), privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() };
};

test('W21 what the build signs, Gantry believes; a key that is not the one in the package signs nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-feed-'));
  const own = pair();
  expect(() => signFeeds(folder, own.privateKey, own.publicKey)).toThrow(/no latest/);
  writeFileSync(join(folder, 'latest-linux.yml'), 'version: 1.0.0\n');
  writeFileSync(join(folder, 'builder-debug.yml'), 'x');
  expect(() => signFeeds(folder, own.privateKey, pair().publicKey)).toThrow(/does not belong/);
  expect(() => signFeeds(folder, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), own.publicKey)).toThrow(/Ed25519/);
  expect(signFeeds(folder, own.privateKey, own.publicKey)).toEqual(['latest-linux.yml']);
  expect(isSignedBy(own.publicKey, 'version: 1.0.0\n', readFileSync(join(folder, 'latest-linux.yml.sig'), 'utf8'))).toBe(true);
  expect(isSignedBy(own.publicKey, 'version: 1.0.1\n', readFileSync(join(folder, 'latest-linux.yml.sig'), 'utf8'))).toBe(false);
});
