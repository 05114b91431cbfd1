import type { RunLimits } from '../../shared/agent-profile.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import type { Usage } from '../../shared/model.ts';
import { tokensOf } from '../../shared/token-weight.ts';
import type { ChosenModel } from './choose-model.ts';
import { addUsage, NO_USAGE, priced } from './usage.ts';

/** Asked for where a limit holds and nobody said how much the model can write. */
const DEFAULT_OUTPUT = 4_096;
/** An answer of fewer tokens is none. */
const LEAST_OUTPUT = 64;
/** Tokens that a text may take more than its parts, where parts of an earlier request stand in it. */
const SEAM = 64;

/** Of the largest picture that providers take; its bytes say nothing of it. */
const PICTURE_TOKENS = 8_000;
/** As a member of the request's own JSON: the same within a text stands behind escaped quotes, and counts as the text that it is. */
const PICTURE = /("(?:image_)?url":"data:image\/[a-z+.-]{1,20};base64,|"media_type":"image\/[a-z+.-]{1,20}","data":")[A-Za-z0-9+/=]{8000,}/g;

/** The most that a text can have: no tokenizer makes more than one token of a byte. */
const countable = (requestText: string): Buffer => Buffer.from(requestText.replace(PICTURE, (_whole, head: string) => `${head}${'x'.repeat(PICTURE_TOKENS)}`));
export const worstInputTokens = (requestText: string): number => countable(requestText).length;

/** A request beside the turns of a run, let go and not counted yet. `settle` once: with what it took, null where it took nothing, `worst` where nobody counted it. */
export interface Beside {
  settle(usage: Usage | null | 'worst'): void;
}

/** A limit in money that nothing can be counted against. Field: of a profile. */
export const noPrice = (limit: number, field?: string): Fault =>
  fault('no_price', 'A money limit is set, and the model has no prices: nothing can be counted against it.', { ...(field === undefined ? {} : { field }), remedy: 'Set the prices of the model, or take the money limit away.', details: { limit } });

/** Bytes from the start, and from the end, that two texts share; together at most the shorter one. */
const sharedBytes = (a: Buffer, b: Buffer): number => {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return head + tail;
};

/**
 * What a run may still spend. A request is let go only if its worst case fits: as many tokens in as its text can have (no tokenizer makes more than one of a
 * byte; what an earlier request held is known by its count), and as many out as it asks for at most. So no limit is ever passed, whatever the provider does.
 */
export class RunBudget {
  readonly #limits: RunLimits;
  readonly #model: Pick<ChosenModel, 'prices' | 'limits'>;
  /** as counted, or as estimated where nobody counted */
  #usage: Usage = NO_USAGE;
  /** what limits go by: where nobody counted, the most that it can have been */
  #spent: Usage = NO_USAGE;
  /** the most that requests beside the turns can take, while they are under way */
  readonly #beside = new Set<Usage>();
  /** of the turn under way */
  #turn: Usage = NO_USAGE;
  /** the last request that was counted by its provider */
  #counted: { readonly text: Buffer; readonly inputTokens: number } | null = null;
  #open: { readonly text: Buffer; readonly worstIn: number; readonly out: number } | null = null;

  constructor(limits: RunLimits, model: Pick<ChosenModel, 'prices' | 'limits'>) {
    this.#limits = limits;
    this.#model = model;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Whether the turn under way took anything. */
  get hasTurn(): boolean {
    return this.#turn !== NO_USAGE;
  }

  /** What the turn took; the next one begins. */
  takeTurn(): Usage {
    const turn = this.#turn;
    this.#turn = NO_USAGE;
    return turn;
  }

  get #isLimited(): boolean {
    return this.#limits.tokens !== null || this.#limits.money !== null;
  }

  /** Tokens that the next request asks for at most; undefined: as the provider likes. `estimatedBytes`: about how long its text is. */
  maxOutput(estimatedBytes: number): number | undefined {
    const own = this.#model.limits.maxOutputTokens;
    if (!this.#isLimited) return own ?? undefined;
    const wanted = own ?? DEFAULT_OUTPUT;
    const room = this.#room(this.#counted === null ? estimatedBytes : Math.min(estimatedBytes, this.#counted.inputTokens + Math.max(0, estimatedBytes - this.#counted.text.length) + SEAM));
    return Math.max(LEAST_OUTPUT, Math.min(wanted, room));
  }

  /** Looks at a request as it would leave. Faults: token_limit, money_limit, no_price. */
  admit(requestText: string, out: number | undefined): Fault | null {
    const text = countable(requestText);
    const worstIn = this.#counted === null ? text.length : Math.min(text.length, this.#counted.inputTokens + (text.length - sharedBytes(text, this.#counted.text)) + SEAM);
    const worst = out ?? 0;
    this.#open = { text, worstIn, out: worst };
    const { tokens, money } = this.#limits;
    const taken = this.#taken();
    const used = taken.inputTokens + taken.outputTokens;
    if (tokens !== null && used + worstIn + worst > tokens) {
      return fault('token_limit', `The next request could take ${worstIn + worst} tokens; of ${tokens} that this run may use, ${used} are used.`, { details: { limit: tokens, used, worst: worstIn + worst } });
    }
    if (money === null) return null;
    const { prices } = this.#model;
    if (prices === null) return noPrice(money);
    const cost = priced(worstIn, worst, 0, prices, false).cost ?? 0;
    const spent = taken.cost ?? 0;
    return spent + cost > money ? fault('money_limit', `The next request could cost ${cost.toFixed(4)} ${prices.currency}; of ${money} that this run may cost, ${spent.toFixed(4)} are spent.`, { details: { limit: money, used: spent, worst: cost, currency: prices.currency } }) : null;
  }

  /** A reply came, with what it took. */
  charge(usage: Usage): void {
    if (this.#open !== null && !usage.estimated) this.#counted = { text: this.#open.text, inputTokens: usage.inputTokens };
    this.#add(usage);
  }

  /** A request that a server of this run makes, to a model with prices of its own. Faults: token_limit, money_limit, no_price. */
  admitBeside(worstIn: number, out: number, prices: ChosenModel['prices']): Beside | Fault {
    const { tokens, money } = this.#limits;
    const worst = priced(worstIn, out, 0, prices, true);
    const taken = this.#open === null ? this.#taken() : addUsage(this.#taken(), priced(this.#open.worstIn, this.#open.out, 0, this.#model.prices, true));
    const used = taken.inputTokens + taken.outputTokens;
    if (tokens !== null && used + worstIn + out > tokens) return fault('token_limit', `The request of a server could take ${worstIn + out} tokens; of ${tokens} that this run may use, ${used} are used.`, { details: { limit: tokens, used, worst: worstIn + out } });
    if (money !== null) {
      const own = this.#model.prices?.currency;
      if (prices === null) return noPrice(money);
      if (prices.currency !== (own ?? prices.currency)) return fault('money_limit', 'This run has a money limit, and the model has its prices in another currency.', { remedy: 'Choose a model with prices in the same currency, or take the limit away.', details: { limit: money, why: 'other_currency' } });
      const spent = taken.cost ?? 0;
      const cost = worst.cost ?? 0;
      if (spent + cost > money) return fault('money_limit', `The request of a server could cost ${cost.toFixed(4)} ${prices.currency}; of ${money} that this run may cost, ${spent.toFixed(4)} are spent.`, { details: { limit: money, used: spent, worst: cost, currency: prices.currency } });
    }
    this.#beside.add(worst);
    return {
      settle: (usage) => {
        if (!this.#beside.delete(worst) || usage === null) return;
        const took = usage === 'worst' ? worst : usage;
        this.#usage = addUsage(this.#usage, took);
        this.#spent = addUsage(this.#spent, took);
      },
    };
  }

  /** A request went out and nobody counted what it took: estimated by its text and by what had come of the reply; '' where nothing had. */
  chargeBroken(written = ''): void {
    if (this.#open !== null) this.#add(priced(tokensOf(this.#open.text.toString()), tokensOf(written), 0, this.#model.prices, true));
  }

  #add(usage: Usage): void {
    // what nobody counted may have been more than it looks
    const most = usage.estimated && this.#isLimited && this.#open !== null ? priced(this.#open.worstIn, this.#open.out, 0, this.#model.prices, true) : usage;
    this.#usage = addUsage(this.#usage, usage);
    this.#spent = addUsage(this.#spent, most);
    this.#turn = addUsage(this.#turn, usage);
    this.#open = null;
  }

  /** What was used, with the most that requests beside the turns can still take. */
  #taken(): Usage {
    return [...this.#beside].reduce(addUsage, this.#spent);
  }

  #room(worstIn: number): number {
    const { tokens, money } = this.#limits;
    const { prices } = this.#model;
    const taken = this.#taken();
    const byTokens = tokens === null ? Number.POSITIVE_INFINITY : tokens - taken.inputTokens - taken.outputTokens - worstIn;
    const byMoney = money === null || prices === null || prices.output === 0 ? Number.POSITIVE_INFINITY : ((money - (taken.cost ?? 0)) * 1_000_000 - worstIn * prices.input) / prices.output;
    return Math.floor(Math.min(byTokens, byMoney, Number.MAX_SAFE_INTEGER));
  }
}
