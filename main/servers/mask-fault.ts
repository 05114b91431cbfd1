import type { Fault } from '../../shared/fault.ts';

/** Characters of a message that are kept, after masking: a cut before it would leave the first part of a secret that stands across it. */
const MESSAGE_CAP = 9000;

/** A copy with every string and every key masked. */
export const maskDeep = (value: unknown, mask: (text: string) => string): unknown => {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskDeep(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskDeep(one, mask)]));
};

/** What a server said is kept with its fault for as long as the state lasts. */
const wordsCut = (details: Record<string, unknown>): Record<string, unknown> =>
  typeof details['serverWords'] === 'string' ? { ...details, serverWords: details['serverWords'].slice(0, MESSAGE_CAP).toWellFormed() } : details;

/** The same fault with known secret values hidden: a server's own words, which it may quote, are kept in facts and shown. */
export const maskFault = (why: Fault, mask: (text: string) => string): Fault => ({
  ...why,
  message: mask(why.message).slice(0, MESSAGE_CAP).toWellFormed(),
  ...(why.details === undefined ? {} : { details: wordsCut(maskDeep(why.details, mask) as Record<string, unknown>) }),
});
