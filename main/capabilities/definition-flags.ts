import type { Definition } from '../../shared/capability.ts';
import type { RaisedFlag } from '../store/capabilities.ts';
import { findHiddenText } from './hidden-text.ts';
import { findInstructions } from './instruction-lint.ts';
import { pointerToken } from './json-walk.ts';
import { mixesScripts } from './skeleton.ts';
import { unknownRequiredPlaces } from './unknown-required.ts';

const LONG_DESCRIPTION_CHARS = 20_000;
const MAX_FLAGS = 40;

interface TextAt {
  readonly pointer: string;
  readonly text: string;
  /** the name of a member, which a reader takes for a word of the contract */
  readonly isName: boolean;
}

/** Every text of a definition, names of members too; without recursion. */
function* texts(root: unknown, at: string): Generator<TextAt> {
  const stack: { readonly value: unknown; readonly pointer: string }[] = [{ value: root, pointer: at }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { value, pointer } = top;
    if (typeof value === 'string') yield { pointer, text: value, isName: false };
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      const below = `${pointer}/${pointerToken(key)}`;
      if (!Array.isArray(value)) yield { pointer: below, text: key, isName: true };
      if (typeof member === 'string' || (typeof member === 'object' && member !== null)) stack.push({ value: member, pointer: below });
    }
  }
}

const describesSomething = (pointer: string): boolean => /\/(?:description|title|\$comment)$/.test(pointer);

/**
 * What a reader should know of a definition's text: hidden characters with their places (S11), text that reads as instructions (S13), mixed scripts
 * in a name, unusual length. Information only: no flag grants or refuses anything.
 */
export const definitionFlags = (definition: Definition): readonly RaisedFlag[] => {
  const flags: RaisedFlag[] = [];
  const { name, ...rest } = definition;
  for (const { pointer, text, isName } of [{ pointer: '/name', text: name, isName: false }, ...texts(rest, '')]) {
    if (flags.length >= MAX_FLAGS) break;
    for (const hidden of findHiddenText(text)) {
      const decoded = hidden.decoded === undefined ? '' : `; they spell: ${hidden.decoded}`;
      flags.push({ code: hidden.kind, place: pointer, detail: `${hidden.count}: ${hidden.places.join(', ')}${hidden.count > hidden.places.length ? ', ...' : ''}${decoded}` });
    }
    if (isName || !describesSomething(pointer)) continue;
    for (const sign of findInstructions(text)) flags.push({ code: 'instruction_text', place: pointer, detail: `${sign.what}, at ${sign.index}: ${sign.excerpt}` });
    if (text.length > LONG_DESCRIPTION_CHARS) flags.push({ code: 'long_text', place: pointer, detail: `${text.length} characters` });
  }
  if (mixesScripts(name)) flags.push({ code: 'mixed_scripts', place: '/name', detail: 'letters of several scripts that look alike' });
  if (definition.annotations?.['readOnlyHint'] === true && definition.annotations['destructiveHint'] === true) {
    flags.push({ code: 'contradicting_hints', place: '/annotations', detail: 'claims to be read only and destructive: counts as destructive' });
  }
  if (typeof definition.inputSchema === 'object' && definition.inputSchema !== null) {
    for (const { place, name } of unknownRequiredPlaces(definition.inputSchema).slice(0, MAX_FLAGS)) flags.push({ code: 'unknown_required', place, detail: name });
  }
  return flags;
};
