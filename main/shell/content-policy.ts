import { randomBytes } from 'node:crypto';

export const newNonce = (): string => randomBytes(16).toString('base64');

/**
 * The page's content security policy: no eval, no inline script, no inline style without this page's nonce
 * (Mantine writes style elements), images only from here or as data that the host re-encoded (M08, M11).
 * `connect` are the addresses besides its own origin that the page may talk to.
 */
export const contentPolicy = (nonce: string, connect: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
