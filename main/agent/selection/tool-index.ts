import type { OfKinds } from './kinds.ts';
import type { Lexicon } from './lexicon.ts';
import { Posting } from './posting.ts';
import { Scratch } from './scratch.ts';
import { FIELDS, fieldsOf, type Field, type FieldsDeps, type ToolText, type Weighted } from './tool-fields.ts';
import { inflectedVerbClassesOf, NOUN_IN_NAMES, stemOf, STOP, verbClassesOf, type VerbClass } from './words.ts';

/** What a word is worth in a field; how far the field's length counts; a usual length, the same for every index, so that no tool's worth hangs on its neighbours. */
const FIELD: Readonly<Record<Field, { readonly worth: number; readonly length: number; readonly usual: number }>> = {
  name: { worth: 3, length: 0.3, usual: 3.5 },
  title: { worth: 2, length: 0.3, usual: 3 },
  server: { worth: 1, length: 0.2, usual: 2.5 },
  lead: { worth: 1.3, length: 0.5, usual: 14 },
  description: { worth: 1, length: 0.6, usual: 30 },
  parameters: { worth: 0.8, length: 0.6, usual: 6 },
  parameterTexts: { worth: 0.3, length: 0.7, usual: 40 },
};
/** How far a field says what a tool is, and how many of its words are read for that. */
const SAYS = { name: 1, title: 1, server: 0.8, lead: 0.9, description: 0.6 } as const;
const SAID_WORDS = 60;
/** Of a description, behind its first sentence. */
const SENSE_WORDS = 25;
export const SURFACE = 0.4;
export const STEM = 0.6;

/** One tool as it is ranked. */
export interface IndexedTool {
  readonly id: string;
  readonly serverId: string;
  /** nouns of the name, in order */
  readonly nouns: readonly string[];
  readonly verbs: ReadonlySet<VerbClass>;
  readonly nameStems: ReadonlySet<string>;
  readonly leadStems: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  readonly direction: Float32Array;
  /** the words that say what it is, each with how much of that it says; together 1 */
  readonly said: readonly (readonly [stem: string, share: number])[];
  readonly postings: readonly Posting[];
}

const bump = (counts: Map<string, number>, key: string, by: number): void => {
  const now = (counts.get(key) ?? 0) + by;
  if (now <= 0) counts.delete(key);
  else counts.set(key, now);
};

const alive = (posting: Posting | undefined): Posting | undefined => (posting === undefined || posting.live === 0 ? undefined : posting);

const put = (weights: ReadonlyMap<string, number>, slot: number, into: Map<string, Posting>): Posting[] => {
  const postings: Posting[] = [];
  for (const [term, weight] of weights) {
    let posting = into.get(term);
    if (!posting) into.set(term, (posting = new Posting()));
    posting.add(slot, weight);
    postings.push(posting);
  }
  return postings;
};

/**
 * An inverted index of tools, kept up to date a server at a time. A term is a surface form, or a stem. Removed tools leave holes, which are closed when
 * they are a quarter of all.
 */
export class ToolIndex {
  readonly deps: FieldsDeps;
  readonly #surfaces = new Map<string, Posting>();
  readonly #stems = new Map<string, Posting>();
  readonly #nameStems = new Map<string, number>();
  /** the senses of each server's tools, added up */
  readonly #senses = new Map<string, Float32Array>();
  /** how far each server's tools are of each kind, added up, and what was made of it */
  readonly #kinds = new Map<string, { readonly sum: Float32Array; of: OfKinds | null }>();
  #tools: (IndexedTool | null)[] = [];
  /** a number for each server that ever was here */
  readonly #serverNumbers = new Map<string, number>();
  #serverOf = new Int32Array(64);
  /** one request at a time */
  readonly scratch = new Scratch();
  readonly #slotOf = new Map<string, number>();
  readonly #ofServer = new Map<string, Set<string>>();
  #live = 0;

  constructor(deps: FieldsDeps) {
    this.deps = deps;
  }

  get lexicon(): Lexicon {
    return this.deps.lexicon;
  }
  /** tools that can be found */
  get size(): number {
    return this.#live;
  }
  /** slots, with the holes */
  get slots(): number {
    return this.#tools.length;
  }
  at(slot: number): IndexedTool | null {
    return this.#tools[slot] ?? null;
  }
  slotOf(id: string): number | undefined {
    return this.#slotOf.get(id);
  }
  /** by slot; where there is no tool it says nothing */
  get serverOf(): Int32Array {
    return this.#serverOf;
  }
  get serverCount(): number {
    return this.#serverNumbers.size;
  }
  serverNumber(serverId: string): number {
    return this.#serverNumbers.get(serverId) ?? -1;
  }
  ofSurface(word: string): Posting | undefined {
    return alive(this.#surfaces.get(word));
  }
  ofStem(stem: string): Posting | undefined {
    return alive(this.#stems.get(stem));
  }
  has(word: string): boolean {
    return this.ofSurface(word) !== undefined;
  }
  isInNames(stem: string): boolean {
    return this.#nameStems.has(stem);
  }
  /** What the tools of a server are about, taken together, of any length. */
  senseOf(serverId: string): Float32Array | undefined {
    return this.#senses.get(serverId);
  }
  /** What kinds the tools of a server are, taken together. */
  kindsOf(serverId: string): OfKinds {
    const kinds = this.#kinds.get(serverId);
    return kinds === undefined ? [] : (kinds.of ??= this.deps.kinds.ofServer(kinds.sum));
  }
  /** BM25's weight of a stem that few tools have. */
  rarity(stem: string): number {
    const n = this.#stems.get(stem)?.live ?? 0;
    return Math.log(1 + (this.#live - n + 0.5) / (n + 0.5));
  }

  removeServer(serverId: string): void {
    for (const id of this.#ofServer.get(serverId) ?? []) {
      const slot = this.#slotOf.get(id);
      const tool = slot === undefined ? null : this.#tools[slot];
      if (slot === undefined || !tool) continue;
      for (const posting of tool.postings) posting.live -= 1;
      for (const stem of tool.nameStems) bump(this.#nameStems, stem, -1);
      this.#tools[slot] = null;
      this.#slotOf.delete(id);
      this.#live -= 1;
    }
    this.#ofServer.delete(serverId);
    this.#senses.delete(serverId);
    this.#kinds.delete(serverId);
    if (this.#tools.length > 64 && this.#live < this.#tools.length * 0.75) this.#closeHoles();
  }

  /** A tool that is not in the index; one of this id that is stays as it is. */
  add(tool: ToolText): void {
    if (this.#slotOf.has(tool.id)) return;
    const ids = this.#ofServer.get(tool.serverId);
    if (ids) ids.add(tool.id);
    else this.#ofServer.set(tool.serverId, new Set([tool.id]));
    const fields = fieldsOf(tool, this.deps);
    const slot = this.#tools.length;
    const surfaces = new Map<string, number>();
    const stems = new Map<string, number>();
    for (const field of FIELDS) {
      const { worth, length, usual } = FIELD[field];
      const words = fields[field];
      const unit = worth / (1 - length + (length * words.length) / usual);
      for (const [word, weight] of words) {
        bump(surfaces, word, weight * unit * SURFACE);
        bump(stems, stemOf(word), weight * unit * STEM);
      }
    }
    this.#addSense(tool.serverId, fields);
    this.#addKinds(tool, fields);
    const postings = [...put(surfaces, slot, this.#surfaces), ...put(stems, slot, this.#stems)];
    const indexed = this.#describe(tool, fields, postings);
    this.#place(slot, tool.serverId);
    for (const stem of indexed.nameStems) bump(this.#nameStems, stem, 1);
    this.#tools.push(indexed);
    this.#slotOf.set(tool.id, slot);
    this.#live += 1;
  }

  #addSense(serverId: string, fields: ReturnType<typeof fieldsOf>): void {
    const sense = this.deps.senses.of(...[fields.name, fields.title, fields.lead, fields.description.slice(0, SENSE_WORDS)].map((words) => words.map(([word]) => word)));
    const sum = this.#senses.get(serverId);
    if (!sum) this.#senses.set(serverId, sense);
    else for (let k = 0; k < sum.length; k += 1) sum[k]! += sense[k]!;
  }

  #addKinds({ serverId, definition }: ToolText, fields: ReturnType<typeof fieldsOf>): void {
    let kinds = this.#kinds.get(serverId);
    if (kinds === undefined) this.#kinds.set(serverId, (kinds = { sum: new Float32Array(this.deps.kinds.count), of: null }));
    this.deps.kinds.addTool(fields, `${definition.name} ${definition.description ?? ''}`, kinds.sum);
    kinds.of = null;
  }

  #describe(tool: ToolText, fields: ReturnType<typeof fieldsOf>, postings: readonly Posting[]): IndexedTool {
    const verbs = new Set<VerbClass>();
    const nouns: string[] = [];
    for (const [at, word] of fields.nameWords.entries()) {
      const doing = verbClassesOf(word);
      if (doing && !(NOUN_IN_NAMES.has(word) && at > 0 && at < fields.nameWords.length - 1)) for (const one of doing) verbs.add(one);
      else if (!STOP.has(word)) nouns.push(word);
    }
    if (verbs.size === 0) for (const [word] of fields.lead.slice(0, 3)) for (const one of inflectedVerbClassesOf(word) ?? []) verbs.add(one);
    const pairs = new Set<string>();
    for (const field of ['name', 'title', 'lead', 'description'] as const) {
      const stems = fields[field].filter(([word]) => !STOP.has(word)).map(([word]) => stemOf(word));
      for (let at = 0; at + 1 < stems.length; at += 1) pairs.add(`${stems[at]} ${stems[at + 1]}`);
    }
    const scaled = (words: readonly Weighted[], by: number): Weighted[] => words.map(([word, weight]) => [word, weight * by]);
    const meant = [...scaled(fields.name, 2), ...fields.lead, ...scaled(fields.server, 0.5), ...scaled(fields.description.slice(0, 40), 0.5)].filter(([word]) => !STOP.has(word));
    return {
      id: tool.id,
      serverId: tool.serverId,
      nouns,
      verbs,
      nameStems: new Set(fields.name.map(([word]) => stemOf(word))),
      leadStems: new Set(fields.lead.map(([word]) => stemOf(word))),
      pairs,
      direction: this.lexicon.direction(meant),
      said: this.#said(fields),
      postings,
    };
  }

  #said(fields: ReturnType<typeof fieldsOf>): IndexedTool['said'] {
    const said = new Map<string, number>();
    for (const [field, share] of Object.entries(SAYS) as [keyof typeof SAYS, number][]) {
      for (const [word] of fields[field].slice(0, SAID_WORDS)) {
        if (STOP.has(word)) continue;
        const stem = stemOf(word);
        const worth = share * Math.min(6, this.lexicon.rarity(word) / 2);
        if (worth > (said.get(stem) ?? 0)) said.set(stem, worth);
      }
    }
    const all = [...said.values()].reduce((sum, worth) => sum + worth, 0) || 1;
    return [...said].map(([stem, worth]) => [stem, worth / all] as const);
  }

  #place(slot: number, serverId: string): void {
    let number = this.#serverNumbers.get(serverId);
    if (number === undefined) this.#serverNumbers.set(serverId, (number = this.#serverNumbers.size));
    if (slot >= this.#serverOf.length) {
      const before = this.#serverOf;
      this.#serverOf = new Int32Array(before.length * 2);
      this.#serverOf.set(before);
    }
    this.#serverOf[slot] = number;
  }

  #closeHoles(): void {
    const place = new Int32Array(this.#tools.length).fill(-1);
    const kept: IndexedTool[] = [];
    this.#serverNumbers.clear();
    for (const [slot, tool] of this.#tools.entries()) {
      if (!tool) continue;
      place[slot] = kept.length;
      this.#slotOf.set(tool.id, kept.length);
      this.#place(kept.length, tool.serverId);
      kept.push(tool);
    }
    for (const postings of [this.#surfaces, this.#stems]) {
      for (const [term, posting] of postings) {
        if (posting.live === 0) postings.delete(term);
        else posting.move(place);
      }
    }
    this.#tools = kept;
  }
}
