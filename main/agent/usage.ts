import type { Usage } from '../../shared/model.ts';
import { tokensOf } from '../../shared/token-weight.ts';
import type { ChosenModel } from './choose-model.ts';
import type { ModelReply } from './model-adapter.ts';

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: null, currency: null, estimated: false };

const costOf = (inputTokens: number, outputTokens: number, cachedTokens: number, prices: ChosenModel['prices']): number | null =>
  prices === null ? null : ((inputTokens - cachedTokens) * prices.input + cachedTokens * (prices.cachedInput ?? prices.input) + outputTokens * prices.output) / 1_000_000;

/** A count in tokens, priced. */
export const priced = (inputTokens: number, outputTokens: number, cachedTokens: number, prices: ChosenModel['prices'], estimated: boolean): Usage => ({
  inputTokens, outputTokens, cachedTokens, cost: costOf(inputTokens, outputTokens, cachedTokens, prices), currency: prices?.currency ?? null, estimated,
});

const counted = (value: number | undefined): number | null => (value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : null);

/** What a reply cost, as its provider counted it; where it did not count, estimated by the text that went and came. */
export const usageOf = ({ usage, content, exchange }: ModelReply, { prices }: Pick<ChosenModel, 'prices'>): Usage => {
  const input = counted(usage.inputTokens.total);
  const output = counted(usage.outputTokens.total);
  const cached = Math.min(counted(usage.inputTokens.cacheRead) ?? 0, input ?? 0);
  const written = (): number => content.reduce((sum, part) => sum + tokensOf(part.type === 'text' ? part.text : part.type === 'tool-call' ? part.input : ''), 0);
  return priced(input ?? tokensOf(exchange.requestText), output ?? written(), cached, prices, input === null || output === null);
};

/** Costs in two currencies cannot be added: then there is none. */
export const addUsage = (a: Usage, b: Usage): Usage => {
  const isFirst = a.inputTokens + a.outputTokens === 0 && a.cost === null;
  return {
    inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens, cachedTokens: a.cachedTokens + b.cachedTokens,
    cost: isFirst ? b.cost : a.cost === null || b.cost === null || a.currency !== b.currency ? null : a.cost + b.cost, currency: isFirst ? b.currency : a.currency, estimated: a.estimated || b.estimated,
  };
};
