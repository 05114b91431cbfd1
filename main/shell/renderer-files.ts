import { readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { contentPolicy, newNonce } from './content-policy.ts';

/** What vite leaves in the page for the nonce (`html.cspNonce` in vite.config.ts). */
export const NONCE_MARK = '__GANTRY_NONCE__';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.map': 'application/json; charset=utf-8',
};

export interface FileAnswer {
  readonly status: 200 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const fixedHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
} as const;

const answer = (status: 200 | 404, type: string, cache: string, policy: string, body: Buffer): FileAnswer => ({
  status,
  headers: { ...fixedHeaders, 'content-type': type, 'cache-control': cache, 'content-security-policy': policy, 'content-length': String(body.length) },
  body,
});

/**
 * One file of the built renderer, with the headers that both shells send. A path out of `root` is a 404.
 * HTML is never stored and gets a nonce of its own; hashed assets may be cached.
 */
export const readRendererFile = (root: string, urlPath: string, connect: readonly string[]): FileAnswer => {
  const nonce = newNonce();
  const policy = contentPolicy(nonce, connect);
  const notFound = answer(404, 'text/plain; charset=utf-8', 'no-store', policy, Buffer.from('Not found'));
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return notFound;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return notFound;
  const path = normalize(join(root, decoded === '/' ? '/index.html' : decoded));
  const type = MEDIA_TYPES[extname(path)];
  if (!path.startsWith(root + sep) || type === undefined) return notFound;
  try {
    // at once: while the host is still being made, each turn of the loop that a file needs is a long one
    const body = readFileSync(path);
    if (extname(path) !== '.html') return answer(200, type, 'public, max-age=31536000, immutable', policy, body);
    return answer(200, type, 'no-store', policy, Buffer.from(body.toString('utf8').replaceAll(NONCE_MARK, nonce)));
  } catch {
    return notFound;
  }
};
