import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { HttpExecutor, configureRequestOptions, configureRequestUrl, type DownloadOptions } from 'builder-util-runtime';
import type { Outbound } from '../../network/outbound.ts';

/** electron-updater's requests over Gantry's own connections: its proxy, its roots, its record of whom it contacted. In place of Electron's session, which knows none of them. */
export class OutboundExecutor extends HttpExecutor<ClientRequest> {
  readonly #outbound: Outbound;

  constructor(outbound: Outbound) {
    super();
    this.#outbound = outbound;
  }

  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    return this.#outbound.request('update', options, callback);
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
