// `npm run sign-feed`: signs each latest*.yml of dist/packages with the Ed25519 key of GANTRY_UPDATE_PRIVATE_KEY (PKCS #8, PEM) and writes <file>.sig beside it.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files that were signed. Throws where the key is no Ed25519 key, is not the one whose public half is in the package, or there is no feed. */
export const signFeeds = (folder: string, privateKey: string, publicKey: string): readonly string[] => {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('GANTRY_UPDATE_PRIVATE_KEY is not an Ed25519 key.');
  if (createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64') !== publicKey) throw new Error('GANTRY_UPDATE_PRIVATE_KEY does not belong to GANTRY_UPDATE_PUBLIC_KEY: no Gantry would believe this feed.');
  const feeds = readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name));
  if (feeds.length === 0) throw new Error(`There is no latest*.yml in ${folder}.`);
  for (const name of feeds) writeFileSync(join(folder, `${name}.sig`), `${sign(null, readFileSync(join(folder, name)), key).toString('base64')}\n`);
  return feeds;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const signed = signFeeds(fileURLToPath(new URL('../dist/packages', import.meta.url)), process.env['GANTRY_UPDATE_PRIVATE_KEY'] ?? '', process.env['GANTRY_UPDATE_PUBLIC_KEY'] ?? '');
  process.stdout.write(`signed: ${signed.join(', ')}\n`);
}
