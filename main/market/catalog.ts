import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogFileSchema } from '../../shared/market.ts';
import type { MarketEntry } from '../../shared/market.ts';
import { ObservedSchema, type Observed } from '../../shared/market-observed.ts';
import type { ServerSpec } from '../../shared/server.ts';
import type { Tier } from '../../shared/tier.ts';
import type { FacetCounts, FacetValue, MarketQuestion } from '../../shared/market-view.ts';
import { inTurns } from '../in-turns.ts';
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

const readProblem = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The built-in catalog: JSON files that ship with Gantry, one an entry, and beside them what each app said when it was connected. Discovery information; it grants nothing. */
export class Catalog {
  readonly #entries: readonly MarketEntry[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #reviewedCount: number;
  #search: Promise<MarketSearch> | null = null;
  readonly #observed = new Map<string, Observed>();
  /** files that do not fit the schema, left out of the catalog */
  readonly problems: readonly { readonly file: string; readonly reason: string }[];

  constructor({ dir, observedDir }: { readonly dir: string; readonly observedDir?: string }) {
    const entries: MarketEntry[] = [];
    const problems: { file: string; reason: string }[] = [];
    for (const file of readdirSync(dir).filter((name) => name.endsWith('.json')).toSorted()) {
      try {
        const entry = CatalogFileSchema.parse(JSON.parse(readFileSync(join(dir, file), 'utf8')));
        if (`${entry.id}.json` !== file) throw new Error(`the file is not named after its id ${entry.id}`);
        const observed = observedDir === undefined ? null : readObserved(join(observedDir, file), (reason) => problems.push({ file: `observed/${file}`, reason }));
        if (observed) this.#observed.set(entry.id, observed);
        entries.push({ ...entry, observed: observed && summaryOf(observed), installedServerIds: [], installed: [] });
      } catch (error) {
        problems.push({ file, reason: readProblem(error) });
      }
    }
    this.#entries = entries;
    this.#numbers = new Map(entries.map(({ id }, at) => [id, at]));
    this.#reviewedCount = entries.filter((entry) => entry.reviewedTools.length > 0).length;
    this.problems = problems;
  }

  /**
   * Best first; an empty query lists all, built-in apps first. Reads English and Chinese. `presence` by entry id; `upTo`: how many
   * of the best are wanted. The index is made at the first question, in slices, so that a long catalog does not hold the host.
   */
  async search(
    question: Pick<MarketQuestion, 'query' | 'facets' | 'sort'>,
    presence: ReadonlyMap<string, readonly FacetValue<'presence'>[]> = new Map(),
    upTo?: number,
  ): Promise<{ readonly entries: MarketEntry[]; readonly total: number; readonly counts: FacetCounts }> {
    const search = await (this.#search ??= this.#makeSearch());
    const byNumber = new Map([...presence].flatMap(([id, values]) => (this.#numbers.has(id) ? [[this.#numbers.get(id)!, values] as const] : [])));
    const { order, total, counts } = search.find(question, byNumber, upTo);
    return { entries: order.map((number) => this.#entries[number]!), total, counts };
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
    const toolsOf = (entry: MarketEntry): string[] => [...new Set([...entry.reviewedTools, ...(this.#observed.get(entry.id)?.tools ?? [])].map(({ name }) => name))];
    return inTurns(MarketSearch.build(this.#entries.map((entry) => ({ entry, tools: toolsOf(entry) }))));
  }

  /** What the app of an entry said when it was connected; null where nobody here could. */
  observedOf(id: string): Observed | null {
    return this.#observed.get(id) ?? null;
  }

  /** The entry that describes the app which this launch runs. */
  entryFor(spec: ServerSpec): MarketEntry | null {
    return this.#entries.find((entry) => isSameApp(entry.spec, spec)) ?? null;
  }

  /** Our reviews of the tools of a server, by name: its entry is looked for once. */
  reviewsOf(marketEntryId: string | null, spec: ServerSpec): (toolName: string) => CatalogReview | null {
    const entry = this.entryFor(spec);
    if (entry === null || (marketEntryId !== null && marketEntryId !== entry.id)) return () => null;
    return (toolName) => {
      const review = entry.reviewedTools.find((tool) => tool.name === toolName);
      return review ? { tier: review.tier, purpose: review.purpose, definitionFingerprint: review.definitionFingerprint } : null;
    };
  }

  /** Our review of a tool. A `marketEntryId` whose entry describes another app counts for nothing: it cannot lend its reviews. */
  reviewFor(marketEntryId: string | null, spec: ServerSpec, toolName: string): CatalogReview | null {
    return this.reviewsOf(marketEntryId, spec)(toolName);
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
