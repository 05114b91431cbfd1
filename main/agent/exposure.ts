/** What one request may carry of tools. */
export interface ExposureLimits {
  readonly tools: number;
  readonly tokens: number;
}

/** A tool that fits the route, and what its definition weighs in a request, in tokens. */
export interface Weighed {
  readonly id: string;
  readonly tokens: number;
}

export interface Exposure {
  readonly ids: ReadonlySet<string>;
  readonly lost: readonly { readonly capabilityId: string; readonly reason: string }[];
}

/** Bytes of JSON to one token: providers count otherwise, each in its own way; this is near for English and schemas, and too many for Chinese. */
const BYTES_A_TOKEN = 4;

/** Tokens of a text, estimated. */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

/** Whether one request carries all of them. */
export const fitsWhole = (tools: readonly Weighed[], limits: ExposureLimits): boolean => tools.length <= limits.tools && tools.reduce((sum, { tokens }) => sum + tokens, 0) <= limits.tokens;

/**
 * Takes tools in this order until the number is reached; one that is too heavy for what is left of the tokens is passed over. The first `always` count
 * against both and are never left out.
 */
export const expose = (inOrder: readonly Weighed[], always: number, limits: ExposureLimits): Exposure => {
  const ids = new Set<string>();
  const lost: { readonly capabilityId: string; readonly reason: string }[] = [];
  let tokens = 0;
  for (const [at, { id, tokens: weight }] of inOrder.entries()) {
    if (at >= always && ids.size >= limits.tools) lost.push({ capabilityId: id, reason: `route_limit: ${limits.tools}` });
    else if (at >= always && tokens + weight > limits.tokens) lost.push({ capabilityId: id, reason: `token_budget: ${limits.tokens}` });
    else {
      ids.add(id);
      tokens += weight;
    }
  }
  return { ids, lost };
};
