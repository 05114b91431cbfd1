import { err, type Result } from '../../shared/result.ts';
import { provedRefusal, readingOf, type Asked, type AskFault, type Asking, type ProvedRefusal } from './asking.ts';
import type { ModelReply } from './model-adapter.ts';
import type { ExposedTool } from './exposed-tool.ts';

/** More requests than this are not spent on one turn's search. */
const MAX_REQUESTS = 40;
/** So few suspects are left out one by one: only the request without the culprit is accepted, and it is the turn itself; a refusal costs nothing. */
const ONE_BY_ONE = 12;
/** How often a provider's own words are believed in one search. */
const MAX_HINTS = 4;
/** A hint that names more tools than this names none. */
const MOST_NAMED = 3;

type Answer = Result<Asked, AskFault>;

export interface Refused {
  readonly tools: readonly ExposedTool[];
  /** the first refusal of the turn: what is said where nothing helps */
  readonly first: AskFault;
  /** the refusal of exactly these tools */
  readonly fault: AskFault;
  /** names of tools that it speaks of */
  readonly hint: readonly string[];
}

/**
 * Finds the tools at fault, by the provider's words, by halves and one by one, and leaves them out. Every probe is the turn's own request with fewer tools, so the
 * one that is accepted is the turn.
 */
export class CulpritSearch {
  readonly #asking: Asking;
  readonly #tools: readonly ExposedTool[];
  readonly #first: AskFault;
  readonly #culprits: ProvedRefusal[] = [];
  /** tools of the largest request that was accepted, and its reply */
  #good: readonly ExposedTool[] = [];
  #lastGood: ModelReply | null = null;
  #fault: AskFault;
  #hint: ReadonlySet<string>;
  #hints = 0;

  constructor(asking: Asking, { tools, first, fault, hint }: Refused) {
    this.#asking = asking;
    this.#tools = tools;
    this.#first = first;
    this.#fault = fault;
    this.#hint = new Set(hint);
  }

  async run(): Promise<Answer> {
    while (this.#asking.requests < MAX_REQUESTS) {
      if (this.#hint.size > 0 && this.#hint.size <= MOST_NAMED && this.#hints < MAX_HINTS) this.#blameNamed();
      else {
        const found = await this.#narrowDown();
        if (found === 'stuck') break;
        if (found !== 'blamed') return found;
      }
      const ended = await this.#askWithoutCulprits();
      if (ended !== null) return ended;
    }
    if (this.#lastGood === null) return err(this.#first);
    return this.#answered(this.#lastGood, this.#good, this.#remaining().filter((tool) => !this.#good.includes(tool)));
  }

  #answered(reply: ModelReply, tools: readonly ExposedTool[], undecided?: readonly ExposedTool[]): Answer {
    this.#asking.prove(this.#culprits);
    return this.#asking.answered(reply, tools, undecided);
  }

  #blame(tool: ExposedTool): void {
    this.#culprits.push(provedRefusal(tool, 'set_aside', this.#fault));
  }

  #remaining(): ExposedTool[] {
    return this.#tools.filter((tool) => !this.#culprits.some((one) => one.tool.capabilityId === tool.capabilityId));
  }

  #blameNamed(): void {
    this.#hints += 1;
    for (const tool of this.#tools) if (this.#hint.has(tool.name) && !this.#culprits.some((one) => one.tool === tool)) this.#blame(tool);
  }

  /** By halves to the one at fault; `stuck`: no request is left, or none is suspected. */
  async #narrowDown(): Promise<Answer | 'blamed' | 'stuck'> {
    // words that name one tool after the other name none: what they brought is taken back
    if (this.#hints === MAX_HINTS) this.#culprits.length = 0;
    this.#hints = MAX_HINTS + 1;
    let suspected = likelierFirst(this.#remaining().filter((tool) => !this.#good.includes(tool)));
    let alone = suspected.length > 1;
    while (suspected.length > 1 && this.#asking.requests < MAX_REQUESTS - 1) {
      if (alone && suspected.length <= ONE_BY_ONE) {
        alone = false;
        const found = await this.#oneByOne(suspected);
        if (found !== null) return found;
      }
      const half = suspected.slice(0, Math.ceil(suspected.length / 2));
      const probe = await this.#asking.ask([...this.#good, ...half]);
      if (probe.ok) {
        this.#good = [...this.#good, ...half];
        this.#lastGood = probe.value;
        suspected = suspected.slice(half.length);
      } else if (readingOf(probe.error, half).kind === 'not_tools') return err(probe.error);
      else {
        this.#fault = probe.error;
        suspected = half;
      }
    }
    if (suspected.length !== 1) return 'stuck';
    this.#blame(suspected[0]!);
    return 'blamed';
  }

  /** Each left out by itself: the request that is accepted without it proves it, and is the turn. */
  async #oneByOne(suspected: readonly ExposedTool[]): Promise<Answer | null> {
    for (const tool of suspected) {
      if (this.#asking.requests >= MAX_REQUESTS - 1) return null;
      const rest = this.#remaining().filter((one) => one !== tool);
      const probe = await this.#asking.ask(rest);
      if (!probe.ok) continue;
      this.#blame(tool);
      return this.#answered(probe.value, rest);
    }
    return null;
  }

  /** The turn without those that are blamed; null where it is refused again, with what that refusal says. */
  async #askWithoutCulprits(): Promise<Answer | null> {
    const rest = this.#remaining();
    const without = await this.#asking.ask(rest);
    if (without.ok) return this.#answered(without.value, rest);
    // nothing was ever accepted: with no tool at all it is refused as well, or tools are not what it is about
    if (this.#good.length === 0 && rest.length > 0 && this.#culprits.length === 1) {
      const bare = await this.#asking.ask([]);
      if (!bare.ok) return err(this.#first);
      this.#lastGood = bare.value;
    }
    if (rest.length === 0) return err(this.#first);
    this.#fault = without.error;
    const next = readingOf(this.#fault, rest);
    if (next.kind === 'not_tools') return err(this.#fault);
    this.#hint = new Set(next.kind === 'tools' ? next.suspects : []);
    return null;
  }
}

/** What was rewritten is the likelier half: a refusal costs nothing, an answer is thrown away. */
const likelierFirst = (tools: readonly ExposedTool[]): readonly ExposedTool[] => [...tools.filter((tool) => tool.rendering.state !== 'unchanged'), ...tools.filter((tool) => tool.rendering.state === 'unchanged')];
