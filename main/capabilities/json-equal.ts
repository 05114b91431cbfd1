/** Equality of JSON values: names of members are data, whatever they are. */
export const jsonEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) return a.length === (b as unknown[]).length && a.every((one, i) => jsonEqual(one, (b as unknown[])[i]));
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && jsonEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]));
};

/** Whether a value is among these; texts, numbers and the like by one look-up. */
export const isOneOf = (allowed: readonly unknown[]): ((value: unknown) => boolean) => {
  const plain = new Set(allowed.filter((one) => typeof one !== 'object' || one === null));
  const whole = allowed.filter((one) => typeof one === 'object' && one !== null);
  return (value) => (typeof value === 'object' && value !== null ? whole.some((one) => jsonEqual(one, value)) : plain.has(value));
};
