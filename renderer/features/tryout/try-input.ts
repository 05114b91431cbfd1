import type { Capability } from '../../../shared/capability.ts';

/** A try-out can be made of a tool whose schema can be used. The rest says why not. */
export type TryOutState = { readonly possible: true } | { readonly possible: false; readonly why: 'not_a_tool' | 'excluded' | 'unavailable' };

export const tryOutState = (capability: Pick<Capability, 'kind' | 'schemaState' | 'available'>): TryOutState => {
  if (capability.kind !== 'tool') return { possible: false, why: 'not_a_tool' };
  if (capability.schemaState === 'excluded') return { possible: false, why: 'excluded' };
  return capability.available ? { possible: true } : { possible: false, why: 'unavailable' };
};

/** Text that a form's value becomes; numbers and order as the form holds them. An empty form is an empty object. */
export const inputTextOf = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);

/** Only for telling the person early; the host reads the text itself, digits and all. */
export const readsAsJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
