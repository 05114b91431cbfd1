import type { ArgumentCondition } from '../../shared/rule.ts';
import { canonicalText } from '../evidence/canonical.ts';
import { withinPath } from './path-scope.ts';
import type { Tri } from './path-scope.ts';

interface Found {
  readonly value: unknown;
}

/** RFC 6901 over own members only: `__proto__` and `constructor` are data or nothing (F14). */
const resolvePointer = (input: unknown, pointer: string): Found | null => {
  if (pointer === '') return { value: input };
  let at: unknown = input;
  for (const raw of pointer.slice(1).split('/')) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return null;
    if (Array.isArray(at) && !/^(0|[1-9]\d*)$/.test(key)) return null;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return { value: at };
};

const tri = (holds: boolean): Tri => (holds ? 'yes' : 'no');

/** One condition on the frozen input. `unknown` where the value's meaning cannot be judged: policy reads that to the safe side. */
export const conditionHolds = (condition: ArgumentCondition, input: unknown): Tri => {
  const found = resolvePointer(input, condition.pointer);
  if (condition.op === 'present') return tri(found !== null);
  if (condition.op === 'absent') return tri(found === null);
  if (condition.value === undefined) return 'unknown';
  // a default on the server's side may be anything
  if (found === null) return 'unknown';
  switch (condition.op) {
    case 'equals':
      return tri(canonicalText(found.value) === canonicalText(condition.value));
    case 'not_equals':
      return tri(canonicalText(found.value) !== canonicalText(condition.value));
    case 'starts_with':
      return typeof found.value === 'string' && typeof condition.value === 'string' ? tri(found.value.startsWith(condition.value)) : 'unknown';
    case 'less_or_equal':
      return typeof found.value === 'number' && typeof condition.value === 'number' ? tri(found.value <= condition.value) : 'unknown';
    case 'within_path':
      return withinPath(found.value, condition.value);
  }
};
