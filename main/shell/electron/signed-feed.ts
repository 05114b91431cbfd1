import { createPublicKey, verify } from 'node:crypto';
import electronUpdater, { type AppUpdater, type ResolvedUpdateFileInfo } from 'electron-updater';
import { parseUpdateInfo, resolveFiles, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import type { UpdateFeed } from './update-feed.ts';

// a CommonJS package that defines its members late: they are not seen as named exports
const { Provider } = electronUpdater;
type UpdateInfo = ReturnType<typeof parseUpdateInfo>;

/** Of a feed's file, with its signature beside it as `<file>.sig`: base64 of Ed25519 (RFC 8032) over its bytes. */
export const isSignedBy = (publicKey: string, text: string, signature: string): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature.trim(), 'base64'));
  } catch {
    return false;
  }
};

const LONGEST_FEED = 1024 * 1024;

/**
 * electron-updater's generic feed, believed only when it is signed (M17): the feed holds the SHA-512 of every file, so its signature covers them all, on
 * every system. The signatures of Windows and macOS are checked besides, by electron-updater and by Squirrel.Mac.
 * It sends nothing about this machine: electron-updater's identifier for staged roll-outs is left out.
 */
export class SignedFeed extends Provider<UpdateInfo> {
  readonly #feed: UpdateFeed;

  constructor(feed: UpdateFeed, _updater: AppUpdater, runtime: ProviderRuntimeOptions) {
    super({ ...runtime, isUseMultipleRangeRequest: false });
    this.#feed = feed;
  }

  override setRequestHeaders(): void {
    super.setRequestHeaders(null);
  }

  async getLatestVersion(): Promise<UpdateInfo> {
    const file = `${this.getDefaultChannelName()}.yml`;
    const url = new URL(file, this.#base());
    const [text, signature] = [await this.httpRequest(url), await this.httpRequest(new URL(`${file}.sig`, this.#base()))];
    if (text === null || signature === null || text.length > LONGEST_FEED || !isSignedBy(this.#feed.publicKey, text, signature)) throw new Error('The feed is not signed with the key that this Gantry was built with.');
    return parseUpdateInfo(text, file, url);
  }

  resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
    return resolveFiles(info, this.#base());
  }

  #base(): URL {
    return new URL(this.#feed.url.endsWith('/') ? this.#feed.url : `${this.#feed.url}/`);
  }
}
