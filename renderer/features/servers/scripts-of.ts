import type { Fault } from '../../../shared/fault.ts';

/** The packages whose install scripts a `scripts_needed` fault names: as texts, or as objects with a `package`. */
export const scriptsOf = (fault: Fault): readonly string[] => {
  const listed = Object.values(fault.details ?? {}).find(Array.isArray) as readonly unknown[] | undefined;
  return (listed ?? []).flatMap((one) => {
    if (typeof one === 'string') return [one];
    const named = typeof one === 'object' && one !== null ? (one as { readonly package?: unknown }).package : undefined;
    return typeof named === 'string' ? [named] : [];
  });
};
