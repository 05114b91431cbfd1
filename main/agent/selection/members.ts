/** A member of what may be an object, read without trust; undefined where it is of another kind. */
const member = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined);

export const stringMember = (value: unknown, key: string): string | undefined => {
  const found = member(value, key);
  return typeof found === 'string' ? found : undefined;
};

export const objectMember = (value: unknown, key: string): Readonly<Record<string, unknown>> | undefined => {
  const found = member(value, key);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Readonly<Record<string, unknown>>) : undefined;
};
