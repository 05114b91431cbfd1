import { JSON_DEPTH_CAP } from './json-depth.ts';

/** What stands in a list in place of an entry that is nested too deeply; reading the list names it. */
export const TOO_DEEP_ENTRY = `(nested deeper than ${JSON_DEPTH_CAP} levels)`;

/** Members of a result that are lists of definitions. */
export const LIST_FIELDS: readonly string[] = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** True when arrays and objects nest deeper than `cap`; goes no deeper itself. */
export const nestsDeeper = (value: unknown, cap: number = JSON_DEPTH_CAP): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (cap === 0) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value)) if (nestsDeeper(member, cap - 1)) return true;
  return false;
};

/**
 * The answer to a list request without those of its entries that are nested too deeply: each loses itself alone (S10). Null where something else of the message
 * is too deep, or nothing of it is a list.
 */
export const withoutDeepEntries = (message: unknown): Readonly<Record<string, unknown>> | null => {
  const { result } = (typeof message === 'object' && message !== null ? message : {}) as { result?: unknown };
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null;
  // message, result and list are three levels
  const shallow = Object.entries(result).map(([field, value]): [string, unknown] => [
    field,
    LIST_FIELDS.includes(field) && Array.isArray(value) ? value.map((entry: unknown) => (nestsDeeper(entry, JSON_DEPTH_CAP - 3) ? TOO_DEEP_ENTRY : entry)) : value,
  ]);
  const tidy = { ...(message as Record<string, unknown>), result: Object.fromEntries(shallow) };
  return nestsDeeper(tidy) ? null : tidy;
};

/** The same from the text of a message that is known to be too deep. */
export const shallowListing = (bytes: Buffer): Readonly<Record<string, unknown>> | null => {
  if (!LIST_FIELDS.some((field) => bytes.includes(`"${field}"`))) return null;
  try {
    return withoutDeepEntries(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
};
