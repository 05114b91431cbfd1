import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MarketEntrySchema } from '../../shared/market.ts';
import type { MarketEntry } from '../../shared/market.ts';
import type { ServerSpec } from '../../shared/server.ts';
import type { Tier } from '../../shared/tier.ts';
import { rankEntries } from './rank-entries.ts';

/** Our review of one tool. With a fingerprint it holds for that definition only. */
export interface CatalogReview {
  readonly tier: Tier;
  readonly purpose: { readonly en: string; readonly zh: string };
  readonly definitionFingerprint?: string | undefined;
}

/** What a launch and an entry share when they mean the same app; versions may differ, reviews hang on definitions. */
const identityOf = (spec: ServerSpec): string => {
  switch (spec.kind) {
    case 'builtin':
      return `builtin:${spec.name}`;
    case 'npm':
      return `npm:${spec.package.replace(/(?<=.)@.*$/, '')}`;
    case 'http':
      return `http:${spec.url}`;
    case 'command':
      return `command:${[spec.command, ...(spec.args ?? [])].join('\0')}`;
  }
};

/** The built-in catalog: JSON files that ship with Gantry, one an entry. Discovery information; it grants nothing. */
export class Catalog {
  readonly #entries: readonly MarketEntry[];
  /** files that do not fit the schema, left out of the catalog */
  readonly problems: readonly { readonly file: string; readonly reason: string }[];

  constructor({ dir }: { readonly dir: string }) {
    const entries: MarketEntry[] = [];
    const problems: { file: string; reason: string }[] = [];
    for (const file of readdirSync(dir).filter((name) => name.endsWith('.json')).toSorted()) {
      try {
        const entry = MarketEntrySchema.parse(JSON.parse(readFileSync(join(dir, file), 'utf8')));
        if (`${entry.id}.json` !== file) throw new Error(`the file is not named after its id ${entry.id}`);
        entries.push(entry);
      } catch (error) {
        problems.push({ file, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    this.#entries = entries;
    this.problems = problems;
  }

  /** Best first; an empty query lists all, built-in apps first. Reads English and Chinese. */
  search(query: string): MarketEntry[] {
    return rankEntries(this.#entries, query);
  }

  get(id: string): MarketEntry | null {
    return this.#entries.find((entry) => entry.id === id) ?? null;
  }

  /** The entry that describes the app which this launch runs. */
  entryFor(spec: ServerSpec): MarketEntry | null {
    const identity = identityOf(spec);
    return this.#entries.find((entry) => identityOf(entry.spec) === identity) ?? null;
  }

  /** Our review of a tool. A `marketEntryId` whose entry describes another app counts for nothing: it cannot lend its reviews. */
  reviewFor(marketEntryId: string | null, spec: ServerSpec, toolName: string): CatalogReview | null {
    const entry = this.entryFor(spec);
    if (entry === null || (marketEntryId !== null && marketEntryId !== entry.id)) return null;
    const review = entry.reviewedTools.find((tool) => tool.name === toolName);
    return review ? { tier: review.tier, purpose: review.purpose, definitionFingerprint: review.definitionFingerprint } : null;
  }
}
