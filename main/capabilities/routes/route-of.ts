import { ROUTE_IDS, type RouteId } from '../../../shared/rendering.ts';

const BY_WORD: readonly (readonly [RegExp, RouteId])[] = [
  [/gemini|gemma|google|vertex/, 'gemini'],
  [/moonshot|kimi/, 'moonshot'],
  [/deepseek/, 'deepseek'],
  [/anthropic|claude/, 'anthropic'],
  [/ollama|llama\.?cpp|lm-?studio|llamafile/, 'local'],
];
const OPENAI_MODEL = /^(?:gpt-|o[1-9](?:-|$)|chatgpt-)/;

/**
 * The route of a model: what the person's settings name exactly, else what provider, model or address say, in this order of weight: a model keeps its
 * rules behind a router. `portable` where nothing says.
 */
export const routeOf = ({ provider, model, baseUrl }: { readonly provider: string; readonly model: string; readonly baseUrl: string }): RouteId => {
  const named = provider.toLowerCase();
  const exact = ROUTE_IDS.find((id) => id === named);
  if (exact) return exact;
  // this provider's wire is its own, whatever model answers behind it
  if (named === 'anthropic') return 'anthropic';
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  for (const text of [model.toLowerCase(), named, host]) {
    const found = BY_WORD.find(([pattern]) => pattern.test(text));
    if (found) return found[1];
  }
  if (named === 'openai' || host === 'api.openai.com' || OPENAI_MODEL.test(model.toLowerCase().split('/').at(-1)!)) return 'openai-chat';
  return 'portable';
};

/** The protocol that is spoken: routes differ in what they carry, not only in how. */
export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages';
export const protocolOf = (provider: string): Protocol => (/^(?:anthropic|claude)$/i.test(provider) ? 'anthropic-messages' : /^openai-responses$/i.test(provider) ? 'openai-responses' : 'openai-chat');
export const speaksAnthropic = (provider: string): boolean => protocolOf(provider) === 'anthropic-messages';
