import type { Fault } from '../../shared/fault.ts';

const maskDeep = (value: unknown, mask: (text: string) => string): unknown => {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskDeep(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskDeep(one, mask)]));
};

/** The same fault with known secret values hidden: a server's own words, which it may quote, are kept in facts and shown. */
export const maskFault = (why: Fault, mask: (text: string) => string): Fault => ({
  ...why,
  message: mask(why.message),
  ...(why.details === undefined ? {} : { details: maskDeep(why.details, mask) as Record<string, unknown> }),
});
