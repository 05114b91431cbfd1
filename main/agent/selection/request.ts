import type { Meaning } from './bilingual.ts';
import type { ToolIndex } from './tool-index.ts';
import { chunksOf, LIGHT, LOOKING, PREPOSITIONS, stemOf, STOP, verbClassesOf, type VerbClass } from './words.ts';

/** One word of a request, or several that say the same thing in another language. */
interface RequestWord {
  readonly word: string;
  readonly parts: readonly string[] | null;
  /** other words for it, with their worth: a translation */
  readonly meanings: readonly Meaning[];
  /** a placeholder, path or address: a value, not a subject */
  readonly value: boolean;
  /** 0: what is asked for; later ones stand behind a preposition; null: carries no subject */
  phase: number | null;
  /** which part of the request it stands in, from 0 */
  readonly clause: number;
}

/** What is looked for: any of these words, for this much. */
export interface SearchTerm {
  readonly words: readonly { readonly word: string; readonly weight: number }[];
  readonly worth: number;
  /** the parts of the request that it stands in, a bit each */
  readonly clauses: number;
}

export interface ToolRequest {
  readonly terms: readonly SearchTerm[];
  /** how many parts the request has: sentences, and what "and" joins */
  readonly clauseCount: number;
  readonly wordCount: number;
  /** stems that are spoken of, 0 to 1: by themselves, or by a word of like meaning */
  readonly spoken: ReadonlyMap<string, number>;
  readonly stems: ReadonlySet<string>;
  readonly contentStems: readonly string[];
  readonly verbs: ReadonlySet<VerbClass>;
  /** 1: several things are asked for, -1: one named thing */
  readonly plural: number;
  readonly direction: Float32Array;
  readonly sense: Float32Array;
}

/** A request is read so far. */
const LONGEST_REQUEST = 4_000;
const MOST_WORDS = 160;
const MOST_CLAUSES = 8;
const SHORTEST_CLAUSE = 9;
const CLAUSE_END = /[.?!;](?=\s|$)|[。？！；，]|,\s+(?:and|then|also)\s|\band\b/iu;
/** A likeness of this much says nothing. */
const UNLIKE = 0.3;
const MOST_ALTERNATIVES = 4;
const VALUE = 0.35;
const WORTH = { stop: 0.15, light: 0.5, looking: 0.3, verb: 0.8 } as const;
/** What each preposition leaves of a word's worth, in requests short enough to be one sentence. */
const PHASES = [1, 0.75, 0.6, 0.6] as const;
const ONE_SENTENCE = 30;
/** A sense that a tool is named by is the likelier one, so much. */
const NAMES_A_TOOL = 1.75;
const MARK = '\u0001';
const MANY = /\b(?:all|list|every|each|which|any|available|many)\b|所有|全部|列出|哪些|每[个個]/iu;
const NAMES_OF_MANY = /^(?:list|names?|items?|results?|records?)$/;

const isValue = (token: string): boolean => /[./@\\]\S/.test(token) && /^(?:https?:|[/~\\]|www\.|[A-Za-z]:\\)|\.\w{2,5}[?!,;:)"']*$|@/.test(token);

/** What a value is one of, where its form tells: a word that tools speak of. */
const kindOf = (token: string): string | null => {
  if (/^https?:|^www\./i.test(token)) return 'url';
  if (/\S@\S+\.\S/.test(token)) return 'email';
  return /^[/~\\]|^[A-Za-z]:\\|\.\w{2,5}[?!,;:)"']*$/.test(token) ? 'file' : null;
};

/** The parts of a request; short ones belong to the one before. */
const clausesOf = (text: string): readonly string[] => {
  const out: string[] = [];
  for (const piece of text.split(CLAUSE_END)) {
    if (out.length > 0 && (piece.trim().length < SHORTEST_CLAUSE || out.length === MOST_CLAUSES)) out.push(`${out.pop()!} ${piece}`);
    else out.push(piece);
  }
  return out;
};

/** The senses of a Chinese word by what the tools here are named; the first keeps its weight. */
const likeliestFirst = (meanings: readonly Meaning[], index: ToolIndex): readonly Meaning[] => {
  if (meanings.length < 2) return meanings;
  const likely = meanings.map(({ word, weight }) => ({ word, weight: weight * (index.isInNames(stemOf(word)) ? NAMES_A_TOOL : 1) })).sort((a, b) => b.weight - a.weight);
  const share = meanings[0]!.weight / likely[0]!.weight;
  return likely.map(({ word, weight }) => ({ word, weight: weight * share }));
};

const wordsOf = (text: string, index: ToolIndex): RequestWord[] => {
  const marked = text.slice(0, LONGEST_REQUEST).replace(/<([^<>]{1,60})>/g, (_, inner: string) => ` ${inner.split(/[^\p{L}\p{N}]+/u).filter(Boolean).map((word) => MARK + word).join(' ')} `);
  const out: RequestWord[] = [];
  for (const [clause, part] of clausesOf(marked).entries()) {
    for (const [, mark, token] of part.matchAll(/(\u0001?)([^\s\u0001]+)/g)) {
      const value = mark === MARK || isValue(token!);
      for (const { word, parts, han } of chunksOf(token!)) {
        if (!han) out.push({ word, parts, meanings: [], value, phase: null, clause });
        else for (const one of index.deps.bilingual.wordsOf(word)) out.push({ word: one.word, parts: null, meanings: likeliestFirst(one.meanings, index), value: false, phase: null, clause });
      }
      const kind = value && mark !== MARK ? kindOf(token!) : null;
      if (kind !== null) out.push({ word: kind, parts: null, meanings: [], value: true, phase: null, clause });
      if (out.length >= MOST_WORDS) return out;
    }
  }
  return out;
};

const carriesNothing = ({ word }: RequestWord): boolean => STOP.has(word);
const verbsOf = ({ word, meanings }: RequestWord): ReadonlySet<VerbClass> | undefined => verbClassesOf(word) ?? meanings.slice(0, 3).map((m) => verbClassesOf(m.word)).find((found) => found !== undefined);
const isLight = ({ word, meanings }: RequestWord): boolean => LIGHT.has(word) || (meanings.length > 0 && LIGHT.has(meanings[0]!.word));
const isLooking = ({ word, meanings }: RequestWord): boolean => LOOKING.has(word) || (meanings.length > 0 && LOOKING.has(meanings[0]!.word));

/** Two words that the index knows, of which an unknown one is made ("cosmosdb"). */
const splitByIndex = (word: string, index: ToolIndex): readonly string[] | null => {
  let best: readonly [string, string] | null = null;
  for (let at = 2; word.length >= 5 && at <= word.length - 2; at += 1) {
    const [first, last] = [word.slice(0, at), word.slice(at)];
    if (!index.has(first) || !index.has(last) || STOP.has(first) || STOP.has(last) || Math.max(first.length, last.length) < 4) continue;
    if (!best || Math.min(first.length, last.length) > Math.min(best[0].length, best[1].length)) best = [first, last];
  }
  return best;
};

/** What a request asks for, as far as words tell. */
export const readRequest = (text: string, index: ToolIndex): ToolRequest => {
  const words = wordsOf(text, index);
  let phase = 0;
  let subjects = 0;
  for (const one of words) {
    if (carriesNothing(one) || PREPOSITIONS.has(one.word)) {
      if (PREPOSITIONS.has(one.word) && subjects > 0) phase = Math.min(phase + 1, 3);
      continue;
    }
    one.phase = phase;
    if (!verbsOf(one) && !isLight(one) && !one.value) subjects += 1;
  }
  const decay = (at: number | null): number => (words.length <= ONE_SENTENCE ? PHASES[at ?? 0]! : 1);
  const kindWorth = (one: RequestWord): number => (carriesNothing(one) ? WORTH.stop : isLight(one) ? WORTH.light : isLooking(one) ? WORTH.looking : verbsOf(one) ? WORTH.verb : 1);

  const terms = new Map<string, { words: { word: string; weight: number }[]; worth: number; clauses: number }>();
  const put = (alternatives: { word: string; weight: number }[], worth: number, clause: number): void => {
    const key = alternatives[0]!.word;
    const known = terms.get(key);
    if (!known) terms.set(key, { words: alternatives, worth, clauses: 1 << clause });
    else {
      known.worth = Math.max(known.worth, worth);
      known.clauses |= 1 << clause;
    }
  };
  for (const [at, one] of words.entries()) {
    const worth = (one.value ? VALUE : 1) * kindWorth(one) * decay(one.phase);
    put([{ word: one.word, weight: 1 }, ...one.meanings.map(({ word, weight }) => ({ word, weight }))], worth, one.clause);
    const parts = index.has(one.word) || one.meanings.length > 0 ? null : (one.parts ?? splitByIndex(one.word, index) ?? index.lexicon.split(one.word));
    if (parts && !carriesNothing(one)) for (const part of parts) if (!STOP.has(part)) put([{ word: part, weight: 1 }], worth * 0.9, one.clause);
    const next = words[at + 1];
    const joined = next === undefined ? '' : one.word + next.word;
    if (next && joined.length >= 5 && index.has(joined)) put([{ word: joined, weight: 1 }], Math.min(one.value ? VALUE : 1, next.value ? VALUE : 1) * decay(Math.min(one.phase ?? 3, next.phase ?? 3)), one.clause);
  }

  const found = [...terms.values()];
  const spoken = found.filter(({ words: [first], worth }) => !STOP.has(first!.word) && worth >= 0.3);
  const stems = new Set(spoken.flatMap(({ words: alternatives }) => alternatives.map(({ word }) => stemOf(word))));
  const plain = words.filter((one) => !one.value);
  return {
    terms: found,
    clauseCount: (words.at(-1)?.clause ?? 0) + 1,
    wordCount: words.length,
    spoken: spokenBy(found, index),
    stems,
    contentStems: plain.filter((one) => !carriesNothing(one)).map((one) => stemOf(one.meanings[0]?.word ?? one.word)),
    verbs: verbsAskedFor(text, plain),
    plural: pluralOf(text, words),
    sense: index.deps.senses.of(found.flatMap(({ words: alternatives }) => alternatives.find(({ word }) => index.deps.senses.has(word))?.word ?? [])),
    direction: index.lexicon.direction(found.flatMap(({ words: alternatives, worth }) => (STOP.has(alternatives[0]!.word) ? [] : alternatives.slice(0, 3).map(({ word, weight }) => [word, worth * weight] as const)))),
  };
};

const spokenBy = (terms: readonly SearchTerm[], index: ToolIndex): ReadonlyMap<string, number> => {
  const spoken = new Map<string, number>();
  const say = (stem: string, how: number): void => {
    if (how > (spoken.get(stem) ?? 0)) spoken.set(stem, how);
  };
  for (const { words, worth } of terms) {
    if (STOP.has(words[0]!.word)) continue;
    const most = Math.min(1, worth);
    for (const { word } of words.slice(0, MOST_ALTERNATIVES)) {
      say(stemOf(word), most);
      for (const { stem, likeness } of index.lexicon.near(word)) say(stem, (most * (likeness - UNLIKE)) / (1 - UNLIKE));
    }
  }
  return spoken;
};

const verbsAskedFor = (text: string, words: readonly RequestWord[]): ReadonlySet<VerbClass> => {
  for (const one of words.slice(0, 6)) {
    const verbs = verbsOf(one);
    if (verbs && (!STOP.has(one.word) || LOOKING.has(one.word))) return verbs;
  }
  return /^\s*(?:what|which|how many|where|who|is there|are there)\b/i.test(text) || /什[么麼]|哪些|多少|哪[里裡]|[谁誰]/u.test(text) ? new Set(['get']) : new Set();
};

const pluralOf = (text: string, words: readonly RequestWord[]): number => {
  const heads = words.filter((one) => one.phase === 0 && !verbsOf(one));
  if (heads.some((one) => isLight(one) && !NAMES_OF_MANY.test(one.word))) return MANY.test(text) ? 0.5 : -0.5;
  const last = heads.filter((one) => !one.value).at(-1);
  if ((last && last.word.length > 3 && /[^su]s$/.test(last.word)) || MANY.test(text)) return 1;
  return last && words[words.indexOf(last) + 1]?.value ? -1 : -0.3;
};
