import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, whatever the lengths (N08). */
export const sameSecret = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

/** 256 bits, safe in an address fragment. */
export const newToken = (): string => randomBytes(32).toString('base64url');
