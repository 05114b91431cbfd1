import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogFileSchema } from '../../shared/market.ts';
import type { MarketEntry } from '../../shared/market.ts';
import { ObservedSchema, type Observed } from '../../shared/market-observed.ts';
import type { ServerSpec } from '../../shared/server.ts';
import type { Tier } from '../../shared/tier.ts';
import type { FacetCounts, MarketQuestion } from '../../shared/market-view.ts';
import type { FacetValue } from '../../shared/market-facets.ts';
import { inTurns } from '../in-turns.ts';
import { hasUnspaced, readMarketRequest, type RequestWords } from './search/market-request.ts';
import { MarketSearch } from './search/market-search.ts';

/** Our review of one tool. With a fingerprint it holds for that definition only. */
export interface CatalogReview {
  readonly tier: Tier;
  readonly purpose: { readonly en: string; readonly zh: string };
  readonly definitionFingerprint?: string | undefined;
}

/** Whether a launch runs the app of an entry. Versions of an npm package may differ: reviews hang on definitions. A command has to begin with the very words of the entry. */
const isSameApp = (ofEntry: ServerSpec, spec: ServerSpec): boolean => {
  const packageName = (one: string): string => one.replace(/(?<=.)@.*$/, '');
  switch (ofEntry.kind) {
    case 'builtin':
      return spec.kind === 'builtin' && spec.name === ofEntry.name;
    case 'npm':
      return spec.kind === 'npm' && packageName(spec.package) === packageName(ofEntry.package);
    case 'http':
      return spec.kind === 'http' && spec.url === ofEntry.url;
    case 'command':
      return spec.kind === 'command' && spec.command === ofEntry.command && (ofEntry.args ?? []).every((arg, at) => spec.args?.[at] === arg);
  }
};

export interface CatalogProblem {
  readonly file: string;
  readonly reason: string;
}

const readProblem = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The built-in catalog: JSON files that ship with Gantry, one an entry, and beside them what each app said when it was connected. Discovery information; it grants nothing. */
export class Catalog {
  readonly #entries: readonly MarketEntry[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #reviewedCount: number;
  readonly #quiet: (() => Promise<void>) | undefined;
  readonly #requestWords: RequestWords | undefined;
  #search: Promise<MarketSearch> | null = null;
  #words: Promise<void> | null = null;
  #toldOfWords = false;
  readonly #observed = new Map<string, Observed | null>();
  readonly #observedDir: string | undefined;
  readonly #onProblem: (problem: CatalogProblem) => void;

  /**
   * `onProblem` hears of each file that does not fit its schema and is left out: of entries at once, of records when they are first read.
   * `quiet` resolves when nobody asks for anything: then the words are indexed, if no question has had that done before.
   * `words`: what queries of several words are read by; without it every word has to be found.
   */
  constructor({ dir, observedDir, onProblem = () => {}, quiet, words }: { readonly dir: string; readonly observedDir?: string; readonly onProblem?: (problem: CatalogProblem) => void; readonly quiet?: () => Promise<void>; readonly words?: RequestWords }) {
    this.#requestWords = words;
    this.#observedDir = observedDir;
    this.#onProblem = onProblem;
    this.#quiet = quiet;
    const summary = (id: string): MarketEntry['observed'] => {
      const observed = this.observedOf(id);
      return observed && summaryOf(observed);
    };
    const entries: MarketEntry[] = [];
    for (const file of readdirSync(dir).filter((name) => name.endsWith('.json')).toSorted()) {
      try {
        const entry = CatalogFileSchema.parse(JSON.parse(readFileSync(join(dir, file), 'utf8')));
        if (`${entry.id}.json` !== file) throw new Error(`the file is not named after its id ${entry.id}`);
        entries.push({
          ...entry,
          // read when it is asked for: a list of cards needs none of the records
          get observed() {
            return summary(entry.id);
          },
          installedServerIds: [],
          installed: [],
        });
      } catch (error) {
        onProblem({ file, reason: readProblem(error) });
      }
    }
    this.#entries = entries;
    this.#numbers = new Map(entries.map(({ id }, at) => [id, at]));
    this.#reviewedCount = entries.filter((entry) => entry.reviewedTools.length > 0).length;
  }

  /**
   * Best first; an empty query lists all, built-in apps first. Reads English and Chinese. `presence` by entry id; `upTo`: how many
   * of the best are wanted. What lists all needs no index of words; that is made when words are first asked for, in slices, so that a long
   * catalog does not hold the host.
   */
  async search(
    question: Pick<MarketQuestion, 'query' | 'facets' | 'sort'>,
    presence: ReadonlyMap<string, readonly FacetValue<'presence'>[]> = new Map(),
    upTo?: number,
  ): Promise<{ readonly entries: MarketEntry[]; readonly total: number; readonly counts: FacetCounts }> {
    const search = await (this.#search ??= this.#makeSearch());
    const indexed = (): Promise<void> => (this.#words ??= inTurns(search.indexWords()));
    if (question.query.trim() !== '') await indexed();
    else void this.#quiet?.().then(indexed);
    const byNumber = new Map([...presence].flatMap(([id, values]) => (this.#numbers.has(id) ? [[this.#numbers.get(id)!, values] as const] : [])));
    const { order, total, counts } = search.find(question, byNumber, upTo, await this.#requestOf(question.query));
    return { entries: order.map((number) => this.#entries[number]!), total, counts };
  }

  async #requestOf(query: string): Promise<ReturnType<typeof readMarketRequest>> {
    const words = this.#requestWords;
    return words === undefined ? null : readMarketRequest(query, words, hasUnspaced(query) ? await this.#cutOf(words) : null);
  }

  /** Without its dictionary Chinese is searched as it is written. */
  async #cutOf(words: RequestWords): Promise<Awaited<ReturnType<RequestWords['chinese']>> | null> {
    try {
      return await words.chinese();
    } catch (error) {
      if (!this.#toldOfWords) this.#onProblem({ file: 'selection', reason: readProblem(error) });
      this.#toldOfWords = true;
      return null;
    }
  }

  get size(): number {
    return this.#entries.length;
  }

  /** How many entries have tools that we reviewed. */
  get reviewedCount(): number {
    return this.#reviewedCount;
  }

  get(id: string): MarketEntry | null {
    const at = this.#numbers.get(id);
    return at === undefined ? null : this.#entries[at]!;
  }

  #makeSearch(): Promise<MarketSearch> {
    const toolsOf = (entry: MarketEntry): string[] => [...new Set([...entry.reviewedTools, ...(this.observedOf(entry.id)?.tools ?? [])].map(({ name }) => name))];
    return inTurns(
      MarketSearch.listing(
        this.#entries.map((entry) => ({
          entry,
          get tools() {
            return toolsOf(entry);
          },
        })),
      ),
    );
  }

  /** What the app of an entry said when it was connected; null where nobody here could. */
  observedOf(id: string): Observed | null {
    if (this.#observedDir === undefined || !this.#numbers.has(id)) return null;
    let observed = this.#observed.get(id);
    if (observed === undefined) this.#observed.set(id, (observed = readObserved(join(this.#observedDir, `${id}.json`), (reason) => this.#onProblem({ file: `observed/${id}.json`, reason }))));
    return observed;
  }

  /** The entry that describes the app which this launch runs. */
  entryFor(spec: ServerSpec): MarketEntry | null {
    return this.#entries.find((entry) => isSameApp(entry.spec, spec)) ?? null;
  }

  /** Our reviews of the tools of a server, by name: its entry is looked for once. A `marketEntryId` whose entry describes another app counts for nothing: it cannot lend its reviews. */
  reviewsOf(marketEntryId: string | null, spec: ServerSpec): (toolName: string) => CatalogReview | null {
    const entry = this.entryFor(spec);
    if (entry === null || (marketEntryId !== null && marketEntryId !== entry.id)) return () => null;
    return (toolName) => {
      const review = entry.reviewedTools.find((tool) => tool.name === toolName);
      return review ? { tier: review.tier, purpose: review.purpose, definitionFingerprint: review.definitionFingerprint } : null;
    };
  }
}

/** A record that does not fit costs the entry its record, not its place. */
const readObserved = (path: string, onProblem: (reason: string) => void): Observed | null => {
  try {
    return existsSync(path) ? ObservedSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
  } catch (error) {
    onProblem(readProblem(error));
    return null;
  }
};

const summaryOf = (observed: Observed): NonNullable<MarketEntry['observed']> => ({
  tools: observed.tools.length,
  sizeBytes: observed.sizeBytes,
  observedAt: observed.observedAt,
  platform: observed.platform,
  protocolVersion: observed.protocolVersion,
  serverName: observed.server.name,
  serverVersion: observed.server.version,
});
