import { createHash } from 'node:crypto';
import { withoutHiddenText } from '../hidden-text.ts';
import { pointerToken } from '../json-walk.ts';
import type { RenderingContext } from './rendering-context.ts';

const MAX_NAME = 64;

/**
 * What the members of an object are called on a route: a name that the route does not read, or that holds what a reader does not see, gets a readable one,
 * and is given its own back before the original judges.
 */
export const shownMembers = (names: readonly string[], isRoot: boolean, at: string, context: RenderingContext): readonly { readonly name: string; readonly shownName: string }[] => {
  const rule = isRoot ? context.profile.schema.memberNames : null;
  const taken = new Set(names);
  return names.map((name) => {
    const visible = withoutHiddenText(name);
    if (visible === name && (rule === null || rule.test(name))) return { name, shownName: name };
    let shownName = rule === null ? visible : visible.replace(/[^a-zA-Z0-9_.-]/g, '_').slice(0, MAX_NAME);
    if (shownName === '' || /^_*$/.test(shownName) || taken.has(shownName)) shownName = `${shownName.slice(0, MAX_NAME - 9)}_${createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 8)}`;
    taken.add(shownName);
    context.step(`${at}/properties/${pointerToken(name)}`, visible === name ? 'same' : 'text', 'member_renamed', visible === name ? 'members' : null, shownName);
    return { name, shownName };
  });
};
