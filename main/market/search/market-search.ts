import type { MarketEntry } from '../../../shared/market.ts';
import { MARKET_CATEGORIES } from '../../../shared/market-categories.ts';
import { needOf, standingsOf, type FacetCounts, type MarketQuestion } from '../../../shared/market-view.ts';
import { FACET_NAMES, MARKET_FACETS, type FacetName, type FacetValue, type MarketSort } from '../../../shared/market-facets.ts';
import { sortedInSlices } from '../../../shared/search/sorted-in-slices.ts';
import { WordIndex, type Field, type Sought } from '../../../shared/search/word-index.ts';
import { fold } from '../../../shared/search/words.ts';

export interface SearchedEntry {
  readonly entry: MarketEntry;
  /** names of tools that are known of it */
  readonly tools: readonly string[];
}

/** Numbers of the best entries found, best first, how many were found in all, and how many have each facet value. */
export interface Found {
  readonly order: readonly number[];
  readonly total: number;
  readonly counts: FacetCounts;
}

/** Whether servers were made from an entry, by its number; what is missing was not installed. */
export type Presence = ReadonlyMap<number, readonly FacetValue<'presence'>[]>;

const SLICE = 20;
const ENTRIES_A_SLICE = 500;
/** Room for the place of a tie beside the points, within the 53 bits of a number. */
const PLACES = 2 ** 24;
/** A name that is the query, or begins with it, outweighs words found elsewhere. */
const SAME_NAME = 1_000;
const NAME_BEGINS = 150;

const packageOf = ({ spec, package: outside }: MarketEntry): string =>
  spec.kind === 'npm' ? spec.package : outside?.registry === 'pypi' ? outside.name : outside?.registry === 'oci' ? outside.image : spec.kind === 'http' ? spec.url.replace(/^https?:\/\//, '') : '';

const fieldsOf = ({ entry, tools }: SearchedEntry): readonly Field[] => [
  { text: entry.name, weight: 24 },
  { text: entry.id, weight: 18 },
  { text: packageOf(entry), weight: 15 },
  { text: entry.publisher, weight: 12 },
  ...entry.categories.map((name) => ({ text: `${name} ${MARKET_CATEGORIES[name].en} ${MARKET_CATEGORIES[name].zh}`, weight: 9 })),
  { text: entry.description.en, weight: 6 },
  { text: entry.description.zh, weight: 6 },
  { text: tools.join(' '), weight: 4 },
];

const valuesOf = (entry: MarketEntry): Readonly<Record<Exclude<FacetName, 'presence'>, readonly string[]>> => ({
  kind: [entry.kind],
  needs: [needOf(entry)],
  standing: standingsOf(entry),
  tier: [entry.highestTier],
  category: entry.categories,
});

const maskOf = (facet: FacetName, values: readonly string[]): number => values.reduce((mask, value) => mask | (1 << (MARKET_FACETS[facet] as readonly string[]).indexOf(value)), 0);
const ABSENT = maskOf('presence', ['absent']);

/** Ties: what ships with Gantry, then reviewed, connected, the rest, withdrawn last. */
const classOf = (entry: MarketEntry): number => (entry.kind === 'builtin' ? 0 : entry.withdrawn ? 4 : entry.reviewedTools.length > 0 ? 1 : entry.verified ? 2 : 3);

/** Search, facets and order over a list of entries that does not change. One answer is given for one question, always in the same order. */
export class MarketSearch {
  readonly #all: readonly SearchedEntry[];
  #index: WordIndex | null = null;
  readonly #names: readonly string[];
  readonly #withdrawn: Uint8Array;
  readonly #masks: Facts['masks'];
  readonly #placesByName: Uint32Array;
  readonly #orders = new Map<MarketSort, Order>();

  private constructor(all: readonly SearchedEntry[], facts: Facts) {
    this.#all = all;
    this.#names = facts.names;
    this.#withdrawn = facts.withdrawn;
    this.#masks = facts.masks;
    this.#placesByName = facts.placesByName;
  }

  /** Yields between slices of about a millisecond: 20,000 entries take a second. */
  static *build(all: readonly SearchedEntry[]): Generator<void, MarketSearch> {
    const search = yield* MarketSearch.listing(all);
    yield* search.indexWords();
    return search;
  }

  /** Lists all, narrows and orders; knows no words before `indexWords` is through. */
  static *listing(all: readonly SearchedEntry[]): Generator<void, MarketSearch> {
    return new MarketSearch(all, yield* readFacts(all));
  }

  *indexWords(): Generator<void, void> {
    this.#index = yield* WordIndex.build(this.#all.length, (document) => fieldsOf(this.#all[document]!), SLICE);
  }

  /** `upTo`: how many of the best are wanted; the amounts are always those of all. `request`: what the query asks for, where it is more than a word. */
  find({ query, facets, sort }: Pick<MarketQuestion, 'query' | 'facets' | 'sort'>, presence: Presence, upTo = Number.MAX_SAFE_INTEGER, request: readonly Sought[] | null = null): Found {
    if (this.#index === null && query.trim() !== '') throw new Error('words are asked for before they are indexed');
    const points = this.#pointsOf(query, request);
    const asked = fold(query).trim();
    const present = new Uint32Array(this.#all.length).fill(ABSENT);
    for (const [at, values] of presence) present[at] = maskOf('presence', values);
    const masks = { ...this.#masks, presence: present };
    const wanted = FACET_NAMES.map((facet) => ({ masks: masks[facet], picked: maskOf(facet, facets[facet] ?? []), counts: new Uint32Array(MARKET_FACETS[facet].length) }));
    const { places, numbers } = this.#orderBy(sort);
    const keys = new Float64Array(this.#all.length);
    let found = 0;
    for (let at = 0; at < keys.length; at += 1) {
      if (points !== null && points[at] === 0) continue;
      if (!passes(wanted, at)) continue;
      keys[found] = (sort === 'best' && points !== null ? this.#best(at, points[at]!, asked) : 0) * PLACES + (PLACES - 1 - places[at]!);
      found += 1;
    }
    const order = Array.from(highest(keys.subarray(0, found), upTo), (key) => numbers[PLACES - 1 - (key % PLACES)]!);
    return { order, total: found, counts: Object.fromEntries(FACET_NAMES.map((facet, at) => [facet, Object.fromEntries(MARKET_FACETS[facet].map((value, bit) => [value, wanted[at]!.counts[bit]!]))])) as FacetCounts };
  }

  /** One word is found as it is written; what is more, by what it asks for. */
  #pointsOf(query: string, request: readonly Sought[] | null): Uint32Array | null {
    if (this.#index === null) return null;
    if (request === null) return this.#index.score(query);
    const written = request.length === 1 && request[0]!.word.kind === 'unspaced' ? this.#index.score(query) : null;
    return written?.some((points) => points > 0) ? written : this.#index.scoreRequest(request);
  }

  #best(at: number, points: number, asked: string): number {
    const name = this.#names[at]!;
    const all = points + (name === asked ? SAME_NAME : name.startsWith(asked) ? NAME_BEGINS : 0);
    // what its publisher withdrew comes after what is as good
    return this.#withdrawn[at] === 1 ? Math.floor(all / 2) : all;
  }

  /** The order when nothing was typed; made when it is first asked for. */
  #orderBy(sort: MarketSort): Order {
    const known = this.#orders.get(sort);
    if (known) return known;
    const ranks = this.#ranks(sort);
    const keys = Float64Array.from(this.#placesByName, (place, at) => ranks[at]! * PLACES + place).sort();
    const numbers = new Uint32Array(keys.length);
    const byPlace = new Uint32Array(keys.length);
    this.#placesByName.forEach((place, at) => (byPlace[place] = at));
    keys.forEach((key, at) => (numbers[at] = byPlace[key % PLACES]!));
    const places = new Uint32Array(numbers.length);
    numbers.forEach((number, place) => (places[number] = place));
    this.#orders.set(sort, { numbers, places });
    return { numbers, places };
  }

  /** A small number for each entry: what has a lower one comes first, whatever its name. */
  #ranks(sort: MarketSort): ArrayLike<number> {
    const entries = this.#all.map(({ entry }) => entry);
    if (sort === 'name') return new Uint32Array(entries.length);
    if (sort === 'best') return entries.map(classOf);
    if (sort === 'checked') {
      const days = new Map([...new Set(entries.map(({ checkedAt }) => checkedAt))].sort().reverse().map((day, at) => [day, at]));
      return entries.map(({ checkedAt }) => days.get(checkedAt)!);
    }
    const bytes = entries.map(({ observed }) => observed?.sizeBytes ?? Number.MAX_SAFE_INTEGER);
    const sizes = new Map([...Float64Array.from(new Set(bytes)).sort()].map((size, at) => [size, at]));
    return bytes.map((size) => sizes.get(size)!);
  }
}

interface Facts {
  readonly names: readonly string[];
  readonly withdrawn: Uint8Array;
  readonly masks: Readonly<Record<Exclude<FacetName, 'presence'>, Uint32Array>>;
  /** where each entry stands by name, then by id */
  readonly placesByName: Uint32Array;
}

function* readFacts(all: readonly SearchedEntry[]): Generator<void, Facts> {
  const names: string[] = [];
  const withdrawn = new Uint8Array(all.length);
  const masks = { kind: new Uint32Array(all.length), needs: new Uint32Array(all.length), standing: new Uint32Array(all.length), tier: new Uint32Array(all.length), category: new Uint32Array(all.length) };
  const facets = Object.keys(masks) as (keyof typeof masks)[];
  for (const [at, { entry }] of all.entries()) {
    names.push(fold(entry.name));
    if (entry.withdrawn) withdrawn[at] = 1;
    const values = valuesOf(entry);
    for (const facet of facets) masks[facet][at] = maskOf(facet, values[facet]);
    if (at % ENTRIES_A_SLICE === ENTRIES_A_SLICE - 1) yield;
  }
  // U+0000 ends a name before any other character would go on with it
  const byName = yield* sortedInSlices([...all.keys()], (at) => `${names[at]!}\u0000${all[at]!.entry.id}`);
  const placesByName = new Uint32Array(all.length);
  byName.forEach((at, place) => (placesByName[at] = place));
  return { names, withdrawn, masks, placesByName };
}

/** The `count` highest of all keys, highest first. The array is used up. */
const highest = (keys: Float64Array, count: number): Float64Array => {
  if (count * 4 >= keys.length) return keys.sort().reverse().slice(0, count);
  // a heap of the highest so far, the least of them on top
  const heap = keys.slice(0, count).sort();
  for (let at = count; at < keys.length; at += 1) {
    const key = keys[at]!;
    if (count === 0 || key <= heap[0]!) continue;
    let hole = 0;
    for (let child = 1; child < count; child = 2 * hole + 1) {
      if (child + 1 < count && heap[child + 1]! < heap[child]!) child += 1;
      if (heap[child]! >= key) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = key;
  }
  return heap.sort().reverse();
};

interface Order {
  readonly numbers: Uint32Array;
  /** where each number stands */
  readonly places: Uint32Array;
}

interface Wanted {
  readonly masks: Uint32Array;
  readonly picked: number;
  readonly counts: Uint32Array;
}

/** Whether every facet lets it through. It is counted in each facet that every other one lets it through. */
const passes = (wanted: readonly Wanted[], at: number): boolean => {
  let refused = 0;
  let by = 0;
  for (let facet = 0; facet < wanted.length; facet += 1) {
    const { picked, masks } = wanted[facet]!;
    if (picked === 0 || (picked & masks[at]!) !== 0) continue;
    refused += 1;
    if (refused > 1) return false;
    by = facet;
  }
  if (refused === 1) count(wanted[by]!, at);
  else for (const one of wanted) count(one, at);
  return refused === 0;
};

const count = ({ masks, counts }: Wanted, at: number): void => {
  for (let left = masks[at]!; left !== 0; left &= left - 1) counts[31 - Math.clz32(left & -left)]! += 1;
};
