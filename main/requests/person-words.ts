import { isObject } from '../../shared/is-object.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** Members in which a person writes beside an action. */
const WORDS = new Set(['reason', 'note', 'purpose']);

/**
 * A judged request with known secret values masked in what a person wrote beside it: such words are stored, told and exported (A25). A rule's condition
 * cannot be masked without becoming another one, so it is refused.
 */
export const withoutSecrets = (input: unknown, mask: (text: string) => string): Result<unknown, Fault> => {
  if (!isObject(input)) return ok(input);
  const { conditions } = input;
  if (Array.isArray(conditions)) {
    for (const [i, condition] of conditions.entries()) {
      const said = isObject(condition) ? [condition['pointer'], condition['value']].map((part) => String(part ?? '')) : [];
      if (said.some((text) => mask(text) !== text)) return err(fault('secret_in_input', 'The condition holds the value of a configured secret; no call with it is ever sent.', { field: `/conditions/${i}`, remedy: 'Leave the value out: the server has it already.' }));
    }
  }
  return ok(Object.fromEntries(Object.entries(input).map(([key, value]) => [key, WORDS.has(key) && typeof value === 'string' ? mask(value) : value])));
};
