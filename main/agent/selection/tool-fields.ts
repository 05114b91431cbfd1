import type { Definition } from '../../../shared/capability.ts';
import { stringMember, objectMember } from './members.ts';
import type { Bilingual } from './bilingual.ts';
import type { Kinds } from './kinds.ts';
import type { Lexicon } from './lexicon.ts';
import type { Senses } from './senses.ts';
import { chunksOf } from './words.ts';

/** What is searched of one tool. */
export interface ToolText {
  readonly id: string;
  readonly serverId: string;
  /** how people call the server */
  readonly serverTitle: string;
  readonly definition: Pick<Definition, 'name' | 'title' | 'description'> & { readonly inputSchema?: unknown };
}

export const FIELDS = ['name', 'title', 'server', 'lead', 'description', 'parameters', 'parameterTexts'] as const;
export type Field = (typeof FIELDS)[number];
/** A word of a field with its worth there, 0 to 1. */
export type Weighted = readonly [word: string, weight: number];
export type ToolFields = Readonly<Record<Field, readonly Weighted[]>> & { readonly nameWords: readonly string[] };

const COMPOUND_PART = 0.6;
const PART_OF_NAME = 0.8;
const JOINED = 0.8;
/** What a Chinese word means is nearly as good as if it had been written in English. */
const TRANSLATED = 0.9;
/** Texts are read so far: what a tool is for stands at their beginning. */
const LONGEST_TEXT = 4_000;
const LONGEST_LEAD = 300;
const MOST_PARAMETERS = 60;
const MOST_CHOICES = 20;
/** Of all descriptions and choices of a tool's parameters. */
const LONGEST_PARAMETER_TEXTS = 20_000;

export interface FieldsDeps {
  readonly lexicon: Lexicon;
  readonly bilingual: Bilingual;
  readonly senses: Senses;
  readonly kinds: Kinds;
}

/** Words of a sentence: compounds also by their parts, Chinese also by what it means. */
const proseWords = (text: string, { lexicon, bilingual }: FieldsDeps): Weighted[] =>
  chunksOf(text.slice(0, LONGEST_TEXT)).flatMap(({ word, parts, han }): Weighted[] => {
    if (han) return bilingual.wordsOf(word).flatMap((one): Weighted[] => [[one.word, 1], ...one.meanings.map((meaning): Weighted => [meaning.word, TRANSLATED * meaning.weight])]);
    if (parts) return [[word, 1], ...parts.map((part): Weighted => [part, lexicon.count(word) > 20 ? 0.25 : 0.8])];
    return [[word, 1], ...(lexicon.split(word) ?? []).map((part): Weighted => [part, COMPOUND_PART])];
  });

/** Words of an identifier: every part counts whole. */
const identifierWords = (text: string, deps: FieldsDeps): Weighted[] =>
  chunksOf(text.slice(0, LONGEST_TEXT)).flatMap(({ word, parts, han }): Weighted[] => {
    if (han) return proseWords(word, deps);
    return [...(parts ? [[word, 0.6] as const] : []), ...(parts ?? [word]).flatMap((part): Weighted[] => [[part, 1], ...(deps.lexicon.split(part) ?? []).map((inner): Weighted => [inner, PART_OF_NAME])])];
  });

/** Neighbours that are also written as one word ("Cosmos DB", "key vault"). */
const withJoined = (words: readonly Weighted[], lexicon: Lexicon): Weighted[] => {
  const joined: Weighted[] = [];
  for (let at = 0; at + 1 < words.length; at += 1) {
    const whole = words[at]![0] + words[at + 1]![0];
    if (whole.length >= 5 && whole.length <= 20 && lexicon.count(whole) >= 20) joined.push([whole, JOINED]);
  }
  return joined.length === 0 ? [...words] : [...words, ...joined];
};

const leadOf = (description: string): readonly [lead: string, rest: string] => {
  const text = description.trim();
  const sentence = /^[\s\S]{12,}?[.!?。！？\n](?:\s|$)/u.exec(text)?.[0] ?? text;
  const lead = sentence.slice(0, LONGEST_LEAD);
  return [lead, text.slice(lead.length)];
};

/** The fields of a tool, from its own declaration: names and words only, whatever their shape. */
export const fieldsOf = (tool: ToolText, deps: FieldsDeps): ToolFields => {
  const { definition } = tool;
  const [lead, rest] = leadOf(definition.description ?? '');
  const parameters = Object.entries(objectMember(definition.inputSchema, 'properties') ?? {}).slice(0, MOST_PARAMETERS);
  const prose = (text: string): Weighted[] => withJoined(proseWords(text, deps), deps.lexicon);
  return {
    name: withJoined(identifierWords(definition.name, deps), deps.lexicon),
    title: definition.title === undefined || definition.title === definition.name ? [] : prose(definition.title),
    server: prose(tool.serverTitle),
    lead: prose(lead),
    description: prose(rest),
    parameters: parameters.flatMap(([name]) => identifierWords(name, deps)),
    parameterTexts: readSoFar(parameters.flatMap(([, schema]) => [{ text: stringMember(schema, 'description') ?? '', read: prose }, ...choicesOf(schema).map((text) => ({ text, read: (choice: string) => proseWords(choice, deps) }))])),
    nameWords: chunksOf(definition.name.slice(0, LONGEST_TEXT)).flatMap(({ word, parts, han }) => (han ? [word] : (parts ?? [word]).flatMap((part) => deps.lexicon.split(part) ?? [part]))),
  };
};

const readSoFar = (texts: readonly { readonly text: string; readonly read: (text: string) => Weighted[] }[]): Weighted[] => {
  let left = LONGEST_PARAMETER_TEXTS;
  return texts.flatMap(({ text, read }) => {
    const taken = text.slice(0, Math.min(left, LONGEST_TEXT));
    left -= taken.length;
    return taken === '' ? [] : read(taken);
  });
};

const choicesOf = (schema: unknown): string[] => {
  const choices = typeof schema === 'object' && schema !== null ? (schema as { readonly enum?: unknown }).enum : undefined;
  return Array.isArray(choices) ? choices.filter((choice): choice is string => typeof choice === 'string').slice(0, MOST_CHOICES) : [];
};
