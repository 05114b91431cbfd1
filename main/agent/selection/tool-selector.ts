import { setImmediate } from 'node:timers/promises';
import { readSelectionWords } from './assets.ts';
import { rankTools, type Ranked } from './rank.ts';
import type { ToolText } from './tool-fields.ts';
import { ToolIndex } from './tool-index.ts';

/** A tool that may be chosen, and what says that it is still the same. */
export interface Choosable extends ToolText {
  readonly definitionFingerprint: string;
}

/** Of the host's thread at a stretch. */
const MOST_MS = 8;

/**
 * Chooses among more tools than a request may carry. The words it knows are read when it first has to choose; its index follows what it is given, a
 * server at a time, and lets others in between.
 */
export class ToolSelector {
  readonly #folder: string;
  #index: Promise<ToolIndex> | null = null;
  readonly #held = new Map<string, readonly Choosable[]>();
  /** what the index holds, when it is up to date */
  #indexed: readonly Choosable[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /** `folder`: assets/selection */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The tools in the order of their use for the request, at most `count`, and those of `also` wherever they stand. Rejects where the words that ship with Gantry cannot be read. */
  rank(request: string, tools: readonly Choosable[], count: number, also: readonly string[] = []): Promise<Ranked[]> {
    // one after the other: two that bring the index up to date at once would each take what the other put in
    const ranked = this.#turn.then(() => this.#rank(request, tools, count, also));
    this.#turn = ranked.catch(() => undefined);
    return ranked;
  }

  async #rank(request: string, tools: readonly Choosable[], count: number, also: readonly string[]): Promise<Ranked[]> {
    const index = await (this.#index ??= readSelectionWords(this.#folder).then((words) => new ToolIndex(words)));
    if (!areSame(this.#indexed, tools)) await this.#follow(tools, index);
    return rankTools(request, index, { count, also });
  }

  async #follow(tools: readonly Choosable[], index: ToolIndex): Promise<void> {
    this.#indexed = [];
    const byServer = Map.groupBy(tools, (tool) => tool.serverId);
    for (const serverId of this.#held.keys()) {
      if (byServer.has(serverId)) continue;
      index.removeServer(serverId);
      this.#held.delete(serverId);
    }
    for (const [serverId, ofServer] of byServer) {
      if (areSame(this.#held.get(serverId) ?? [], ofServer)) continue;
      this.#held.delete(serverId);
      await setImmediate();
      let since = performance.now();
      index.removeServer(serverId);
      for (const tool of ofServer) {
        index.add(tool);
        if (performance.now() - since < MOST_MS) continue;
        await setImmediate();
        since = performance.now();
      }
      this.#held.set(serverId, ofServer);
    }
    this.#indexed = tools;
  }
}

/** The same tools by the same definitions and names of servers, in the same order. */
const areSame = (before: readonly Choosable[], now: readonly Choosable[]): boolean =>
  before.length === now.length && now.every((tool, at) => {
    const other = before[at]!;
    return tool === other || (tool.id === other.id && tool.definitionFingerprint === other.definitionFingerprint && tool.serverTitle === other.serverTitle);
  });
