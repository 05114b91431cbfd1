import { meet, type OfKinds } from './kinds.ts';
import type { Reasons } from './rank.ts';
import type { ToolRequest } from './request.ts';
import type { IndexedTool, ToolIndex } from './tool-index.ts';
import { READING, stemOf, STOP, type VerbClass } from './words.ts';

export const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k += 1) sum += a[k]! * b[k]!;
  return sum;
};

interface Noun {
  readonly worth: number;
  /** how far it is spoken of */
  readonly part: number;
}

/** One request as tools are held against it; what many tools share is worked out once. */
export class Asked {
  readonly #request: ToolRequest;
  readonly #index: ToolIndex;
  readonly #reads: boolean;
  readonly #verbs: readonly VerbClass[];
  readonly #pairs: readonly string[];
  readonly #lead: readonly { readonly stems: readonly string[]; readonly value: number }[];
  readonly #leadValue: number;
  readonly #nouns = new Map<string, Noun>();
  readonly #withSaid: boolean;
  readonly #senses = new Map<string, number>();
  readonly #kinds: OfKinds;
  readonly #kindReasons = new Map<string, number>();

  /** `worth`: what is worth nothing here is not looked into */
  constructor(text: string, request: ToolRequest, index: ToolIndex, worth: Reasons) {
    this.#request = request;
    this.#index = index;
    this.#withSaid = worth.said !== 0;
    this.#kinds = worth.kind === 0 ? [] : index.deps.kinds.ofRequest(index.deps.bilingual.simplified(text));
    this.#verbs = [...request.verbs];
    this.#reads = this.#verbs.every((verb) => READING.has(verb));
    this.#pairs = request.contentStems.slice(0, -1).map((stem, at) => `${stem} ${request.contentStems[at + 1]}`);
    this.#lead = request.terms.flatMap(({ words, worth }) =>
      worth <= 0.3 || STOP.has(words[0]!.word) ? [] : [{ stems: words.map(({ word }) => stemOf(word)), value: worth * Math.min(6, index.lexicon.rarity(words[0]!.word) / 2) }],
    );
    this.#leadValue = this.#lead.reduce((sum, { value }) => sum + value, 0);
  }

  /** What speaks for a tool; `words`, `parts` and `server` are known already. */
  reasonsFor(tool: IndexedTool, words: number, parts: number, server: number): Reasons {
    let spoken = 0;
    let all = 0;
    let unasked = 0;
    for (const noun of tool.nouns) {
      const { worth, part } = this.#noun(noun);
      all += worth;
      spoken += worth * part;
      if (part === 0) unasked += 1;
    }
    return {
      words,
      name: all === 0 ? 0.5 : spoken / all,
      verb: this.verbReason(tool.verbs),
      number: this.numberReason(tool.verbs),
      meaning: dot(this.#request.direction, tool.direction),
      sense: this.senseReason(tool.serverId),
      kind: this.kindReason(tool.serverId),
      pairs: this.#pairsReason(tool),
      unasked: -unasked / 4,
      lead: this.#leadReason(tool),
      said: this.#withSaid ? this.#saidReason(tool) : 0,
      parts,
      server,
    };
  }

  #noun(noun: string): Noun {
    const known = this.#nouns.get(noun);
    if (known) return known;
    const stem = stemOf(noun);
    const made = { worth: Math.max(0.4, this.#index.rarity(stem)), part: this.#spokenOf(noun, stem) };
    this.#nouns.set(noun, made);
    return made;
  }

  /** How far a noun of a tool is spoken of: 1 by itself, less by a neighbour that names no tool of its own. */
  #spokenOf(word: string, stem: string): number {
    const { stems } = this.#request;
    if (stems.has(stem)) return 1;
    for (const { stem: other, likeness } of this.#index.lexicon.near(word)) {
      if (likeness < 0.6) break;
      if (stems.has(other) && !this.#index.isInNames(other)) return likeness - 0.25;
    }
    return 0;
  }

  numberReason(verbs: IndexedTool['verbs']): number {
    return this.#request.plural * (verbs.has('list') ? 1 : verbs.has('get') ? -0.4 : 0);
  }

  verbReason(verbs: IndexedTool['verbs']): number {
    if (this.#verbs.length === 0 || verbs.size === 0) return 0;
    for (const verb of this.#verbs) if (verbs.has(verb)) return 1;
    let offersReading = false;
    for (const verb of READING) offersReading ||= verbs.has(verb);
    if (this.#reads && offersReading) return 0.6;
    return this.#reads === offersReading ? -0.3 : -1;
  }

  /** By server: the tools of one are told apart by their words, not by what they are all about. */
  senseReason(serverId: string): number {
    const known = this.#senses.get(serverId);
    if (known !== undefined) return known;
    const sense = this.#index.senseOf(serverId);
    const likeness = sense === undefined ? 0 : dot(this.#request.sense, sense) / (Math.sqrt(dot(sense, sense)) || 1);
    this.#senses.set(serverId, likeness);
    return likeness;
  }

  /** By server, like the sense. */
  kindReason(serverId: string): number {
    const known = this.#kindReasons.get(serverId);
    if (known !== undefined) return known;
    const likeness = this.#kinds.length === 0 ? 0 : meet(this.#kinds, this.#index.kindsOf(serverId));
    this.#kindReasons.set(serverId, likeness);
    return likeness;
  }

  #pairsReason(tool: IndexedTool): number {
    let pairs = 0;
    for (const pair of this.#pairs) if (tool.pairs.has(pair)) pairs += 1;
    return Math.min(1, pairs / Math.max(1, this.#pairs.length));
  }

  #leadReason({ leadStems, nameStems }: IndexedTool): number {
    let covered = 0;
    for (const { stems, value } of this.#lead) if (stems.some((stem) => leadStems.has(stem) || nameStems.has(stem))) covered += value;
    return this.#leadValue === 0 ? 0 : covered / this.#leadValue;
  }

  #saidReason({ said }: IndexedTool): number {
    const { spoken } = this.#request;
    let sum = 0;
    for (const [stem, share] of said) sum += share * (spoken.get(stem) ?? 0);
    return sum;
  }
}
