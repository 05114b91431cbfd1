import type { Capability } from '../../shared/capability.ts';
import { WordIndex } from '../../shared/search/word-index.ts';
import { inTurns } from '../in-turns.ts';

export interface SearchedCapability extends Pick<Capability, 'id' | 'serverId' | 'kind' | 'name'> {
  readonly title: string | undefined;
  readonly description: string | undefined;
}

export interface CapabilitySearchDeps {
  readonly version: number;
  searched(): { readonly version: number; readonly all: readonly SearchedCapability[] };
}

interface Built {
  readonly version: number;
  readonly all: readonly SearchedCapability[];
  readonly index: WordIndex;
}

const SLICE = 20;
/** Servers wrote them: of a longer one the beginning is searched. */
const DESCRIPTION_CHARS = 1_000;

/**
 * Search over every capability's name, server, title and description, as the market is searched: beginnings, parts, typos, Chinese. The index is made at the first
 * question, in turns, and made anew after a change while the one before goes on answering.
 */
export class CapabilitySearch {
  readonly #deps: CapabilitySearchDeps;
  #built: Built | null = null;
  #building: Promise<Built> | null = null;

  constructor(deps: CapabilitySearchDeps) {
    this.#deps = deps;
  }

  /** The best, at most `limit`. What is gone since may be among them for a moment. */
  async find(query: string, limit: number): Promise<readonly SearchedCapability[]> {
    if (this.#built?.version !== this.#deps.version) {
      this.#building ??= this.#build().finally(() => (this.#building = null));
      // where the one before answers, a failure is met again by the next question
      this.#building.catch(() => undefined);
    }
    const { all, index } = this.#built ?? (await this.#building!);
    return index.best(query, limit).map((at) => all[at]!);
  }

  async #build(): Promise<Built> {
    const { version, all } = this.#deps.searched();
    const index = await inTurns(WordIndex.build(all.length, (at) => fieldsOf(all[at]!), SLICE));
    return (this.#built = { version, all, index });
  }
}

const fieldsOf = ({ name, serverId, kind, title = '', description = '' }: SearchedCapability) => [
  { text: name, weight: 24 },
  { text: title, weight: 18 },
  { text: `${serverId} ${kind}`, weight: 9 },
  { text: description.slice(0, DESCRIPTION_CHARS), weight: 4 },
];
