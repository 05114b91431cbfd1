import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { HttpExecutor, configureRequestOptions, configureRequestUrl, type DownloadOptions } from 'builder-util-runtime';
import { setByPerson, type AddressGuard } from '../../network/address-guard.ts';
import { capDecoded } from '../../network/cap-decoded.ts';
import type { Outbound } from '../../network/outbound.ts';

const FEED_CAP_BYTES = 1024 * 1024;

/** electron-updater's requests over Gantry's own connections: its proxy, its roots, its record of whom it contacted. In place of Electron's session, which knows none of them. */
export class OutboundExecutor extends HttpExecutor<ClientRequest> {
  readonly #outbound: Outbound;
  readonly #guard: AddressGuard;

  /** `feed`: where updates are looked for. A feed may lead on to a public place; the signature and the hash say what came from there. */
  constructor(outbound: Outbound, feed: string) {
    super();
    this.#outbound = outbound;
    this.#guard = setByPerson([feed], 'public');
  }

  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    const request = this.#outbound.request('update', this.#guard, options, callback);
    // the feed and its signature are read whole; the release goes to the disk and is judged by its size and hash
    if (/\.(?:yml|sig)(?:\?|$)/.test(options.path ?? '')) capDecoded(request, FEED_CAP_BYTES, () => true);
    return request;
  }

  /** As electron-updater's own: redirects are followed by the base class, the file's hash is checked by its options. */
  async download(from: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const wanted: RequestOptions = { ...(options.headers ? { headers: options.headers } : {}) };
      configureRequestUrl(from, wanted);
      configureRequestOptions(wanted);
      this.doDownload(wanted, { destination, options, onCancel, callback: (error) => (error ? reject(error) : resolve(destination)), responseHandler: null }, 0);
    });
  }
}
