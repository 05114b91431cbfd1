import type { Definition } from '../../../shared/capability.ts';
import { objectMember } from '../selection/members.ts';

/** Of another form, texts have other vectors. */
export const TEXT_FORM = 1;
const LONGEST_TEXT = 2_000;
const LONGEST_NAME = 200;
const MOST_PARAMETERS = 40;
/** Fewer letters of a half tell nothing apart. */
const SHORTEST_HALF = 24;

type Declared = Pick<Definition, 'name' | 'title' | 'description'> & { readonly inputSchema?: unknown };

/** An identifier as words: encoders read text. */
const spoken = (identifier: string): string => identifier.slice(0, LONGEST_NAME).replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/[_\-./:]+/g, ' ').trim();

/** Characters that nobody sees say nothing of a tool. */
const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu, ' ').replace(/\s+/g, ' ').trim();

const joined = (parts: readonly string[]): string => visible(parts.filter((part) => part !== '').join('. ')).slice(0, LONGEST_TEXT).toWellFormed();

const headOf = ({ name, title }: Declared): string[] => [spoken(name), title === undefined || title === name ? '' : title.slice(0, LONGEST_NAME)];
const parametersOf = ({ inputSchema }: Declared): string => Object.keys(objectMember(inputSchema, 'properties') ?? {}).slice(0, MOST_PARAMETERS).map(spoken).join(', ');

/** What of a tool an embeddings endpoint is told: name, title, description and the names of its parameters, at most 2,000 characters. Nothing of how its server is reached. */
export const textOf = (declared: Declared): string => joined([...headOf(declared), (declared.description ?? '').slice(0, LONGEST_TEXT), parametersOf(declared)]);

/**
 * The description in two, at the end of a sentence or of a word near the middle, for asking whether one half finds the other: `lead` with the rest of what a tool declares,
 * `rest` alone. Null where it is too short for that.
 */
export const halvesOf = (declared: Declared): { readonly lead: Declared; readonly rest: string } | null => {
  const text = visible((declared.description ?? '').slice(0, LONGEST_TEXT));
  const middle = text.length / 2;
  const ends = [...text.matchAll(/[.!?。！？；;]\s*/gu)].map((found) => found.index + found[0].length).filter((end) => Math.abs(end - middle) < middle * 0.5);
  const spaces = [...text.matchAll(/\s/gu)].map(({ index }) => index + 1);
  const nearest = (places: readonly number[]): number | undefined => places.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  const at = nearest(ends) ?? nearest(spaces) ?? Math.floor(middle);
  const [lead, rest] = [text.slice(0, at).trim(), text.slice(at).trim()];
  if (Math.min(lead.length, rest.length) < (/\p{Script=Han}/u.test(text) ? SHORTEST_HALF / 3 : SHORTEST_HALF)) return null;
  return { lead: { ...declared, description: lead }, rest: rest.toWellFormed() };
};
