import { createMasker, type KnownSecret, type Masker } from './mask.ts';
import type { Secrets } from './secrets.ts';

/** Hides a value that is only tried, in all its forms, together with those that are kept as they are now: it is not among the known ones, and who refuses it quotes it. */
export const maskTried = (secrets: Pick<Secrets, 'knownValues' | 'forms'>, tried: string | null): Masker => {
  const known: readonly KnownSecret[] = [...secrets.knownValues(), ...(tried === null ? [] : [{ ref: 'tried', value: tried }])];
  return createMasker(() => known, secrets.forms);
};
