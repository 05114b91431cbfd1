import type { Protocol } from 'electron';
import { readRendererFile } from '../renderer-files.ts';

export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://gantry`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

/** Before the app is ready: `app:` is a standard, secure scheme with an origin of its own. */
export const declareAppScheme = (protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void =>
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);

/** Serves the built renderer, with the same headers as the loopback shell; any other host under the scheme is not found. */
export const serveAppScheme = (protocol: Pick<Protocol, 'handle'>, rendererDir: string): void =>
  protocol.handle(APP_SCHEME, (request) => {
    const url = new URL(request.url);
    const known = url.host === 'gantry' && (request.method === 'GET' || request.method === 'HEAD');
    const file = readRendererFile(rendererDir, known ? url.pathname : '/none', []);
    return new Response(new Uint8Array(file.body), { status: file.status, headers: { ...file.headers } });
  });
