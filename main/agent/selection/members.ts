import { isObject } from '../../../shared/is-object.ts';

/** A member of what may be an object, read without trust; undefined where it is of another kind. */
export const stringMember = (value: unknown, key: string): string | undefined => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
};

export const objectMember = (value: unknown, key: string): Readonly<Record<string, unknown>> | undefined => {
  const found = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(found) ? found : undefined;
};
