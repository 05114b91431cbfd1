import type { MarketEntry } from '../../../shared/market.ts';
import { MARKET_CATEGORIES } from '../../../shared/market-categories.ts';
import { FACET_NAMES, MARKET_FACETS, needOf, standingsOf, type FacetCounts, type FacetName, type FacetValue, type MarketQuestion, type MarketSort } from '../../../shared/market-view.ts';
import { WordIndex, type Field } from './word-index.ts';
import { fold } from './words.ts';

export interface SearchedEntry {
  readonly entry: MarketEntry;
  /** names of tools that are known of it */
  readonly tools: readonly string[];
}

/** Numbers of the entries found, best first, and how many have each facet value. */
export interface Found {
  readonly order: readonly number[];
  readonly counts: FacetCounts;
}

/** Whether servers were made from an entry, by its number; what is missing was not installed. */
export type Presence = ReadonlyMap<number, readonly FacetValue<'presence'>[]>;

const SLICE = 50;
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
const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Search, facets and order over a list of entries that does not change. One answer is given for one question, always in the same order. */
export class MarketSearch {
  readonly #all: readonly SearchedEntry[];
  readonly #index: WordIndex;
  readonly #names: readonly string[];
  readonly #withdrawn: Uint8Array;
  readonly #masks: Readonly<Record<Exclude<FacetName, 'presence'>, Uint32Array>>;
  readonly #orders = new Map<MarketSort, Order>();

  private constructor(all: readonly SearchedEntry[], index: WordIndex) {
    this.#all = all;
    this.#index = index;
    this.#names = all.map(({ entry }) => fold(entry.name));
    this.#withdrawn = Uint8Array.from(all, ({ entry }) => (entry.withdrawn ? 1 : 0));
    const values = all.map(({ entry }) => valuesOf(entry));
    const masks = (facet: Exclude<FacetName, 'presence'>): Uint32Array => Uint32Array.from(values, (one) => maskOf(facet, one[facet]));
    this.#masks = { kind: masks('kind'), needs: masks('needs'), standing: masks('standing'), tier: masks('tier'), category: masks('category') };
  }

  /** Yields between slices: 20,000 entries take a second. */
  static *build(all: readonly SearchedEntry[]): Generator<void, MarketSearch> {
    const index = yield* WordIndex.build(all.length, (document) => fieldsOf(all[document]!), SLICE);
    return new MarketSearch(all, index);
  }

  find({ query, facets, sort }: Pick<MarketQuestion, 'query' | 'facets' | 'sort'>, presence: Presence): Found {
    const points = this.#index.score(query);
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
    const order = Array.from(keys.subarray(0, found).sort().reverse(), (key) => numbers[PLACES - 1 - (key % PLACES)]!);
    return { order, counts: Object.fromEntries(FACET_NAMES.map((facet, at) => [facet, Object.fromEntries(MARKET_FACETS[facet].map((value, bit) => [value, wanted[at]!.counts[bit]!]))])) as FacetCounts };
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
    const entryAt = (at: number): MarketEntry => this.#all[at]!.entry;
    const size = (at: number): number => entryAt(at).observed?.sizeBytes ?? Number.MAX_SAFE_INTEGER;
    const by: Record<MarketSort, (a: number, b: number) => number> = {
      best: (a, b) => classOf(entryAt(a)) - classOf(entryAt(b)),
      name: () => 0,
      checked: (a, b) => textOrder(entryAt(b).checkedAt, entryAt(a).checkedAt),
      size: (a, b) => size(a) - size(b),
    };
    const numbers = Uint32Array.from(this.#all.keys()).sort((a, b) => by[sort](a, b) || textOrder(this.#names[a]!, this.#names[b]!) || textOrder(entryAt(a).id, entryAt(b).id));
    const places = new Uint32Array(numbers.length);
    numbers.forEach((number, place) => (places[number] = place));
    this.#orders.set(sort, { numbers, places });
    return { numbers, places };
  }
}

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
