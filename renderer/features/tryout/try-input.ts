import type { Capability } from '../../../shared/capability.ts';

/** A try-out can be made of what has a schema or template that can be used. The rest says why not. */
export type TryOutState = { readonly possible: true } | { readonly possible: false; readonly why: 'excluded' | 'unavailable' };

export const tryOutState = (capability: Pick<Capability, 'schemaState' | 'available'>): TryOutState => {
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

/** JSON Pointers of the fields that a schema requires at its root and that have no value; the host names only the first place where an input does not fit. */
export const missingFields = (schema: unknown, value: unknown): readonly string[] => {
  const required = typeof schema === 'object' && schema !== null && 'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return required.flatMap((name) => (typeof name === 'string' && !(Object.hasOwn(given, name) && given[name] !== undefined) ? [`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`] : []));
};

/** What stands at which field: every required one without a value in the words of the window, and what is wrong at another place. */
export const placedErrors = (fault: { readonly field?: string | undefined; readonly words: string }, missing: readonly string[], required: string): readonly { readonly pointer: string; readonly message: string }[] => [
  ...(fault.field !== undefined && missing.includes(fault.field) ? [] : [{ pointer: fault.field ?? '', message: fault.words }]),
  ...missing.map((pointer) => ({ pointer, message: required })),
];
