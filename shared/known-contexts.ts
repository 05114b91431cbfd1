import type { RouteId } from './route-ids.ts';

/** Tokens that a model carries, as its maker's documentation gives them at the least of that family; by the model's name, without what a router writes before it. */
const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [/^claude-/, 200_000],
  [/^gpt-4\.1/, 1_000_000], [/^gpt-5/, 272_000], [/^(?:gpt-4o|chatgpt-4o|gpt-4-turbo)/, 128_000], [/^gpt-4(?:-0|$)/, 8_192], [/^gpt-3\.5/, 16_385], [/^o[1-9]/, 128_000],
  [/^gemini-/, 1_000_000],
  [/^deepseek-(?:chat|reasoner|v3)/, 64_000],
  [/^kimi-/, 128_000], [/^moonshot-v1-8k/, 8_192], [/^moonshot-v1-32k/, 32_768], [/^moonshot-v1-128k/, 128_000],
];

/** Where neither the person nor the name says: what models of a route have at the least today. Programs on one's own computer have as much as they were started with. */
const BY_ROUTE: Readonly<Record<RouteId, number>> = {
  anthropic: 200_000, 'openai-chat': 128_000, 'openai-responses': 128_000, 'openai-strict': 128_000, gemini: 1_000_000, deepseek: 64_000, moonshot: 128_000, local: 32_768, portable: 64_000, plainest: 64_000,
};

/** A default: it decides what of a conversation is left out first, and refuses nothing. */
export const knownContextTokens = (model: string, routeId: RouteId): number => {
  const name = model.toLowerCase().split('/').at(-1)!;
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? BY_ROUTE[routeId];
};
