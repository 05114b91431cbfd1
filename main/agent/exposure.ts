/** What one request may carry of tools. `toolsBy`: who set the number. */
export interface ExposureLimits {
  readonly tools: number;
  readonly tokens: number;
  readonly toolsBy: 'route' | 'person';
}

/** What the person set for requests to models; null: as the route has it. */
export interface ExposureWishes {
  /** tools of servers; the host's own come beside them */
  readonly tools: number | null;
  readonly tokens: number | null;
  /** first where not every candidate is carried */
  readonly pinned: readonly string[];
}

/** A tool that fits the route, and what its definition weighs in a request, in tokens. */
export interface Weighed {
  readonly id: string;
  readonly tokens: number;
}

export interface LeftOut {
  readonly capabilityId: string;
  readonly reason: string;
  readonly place?: { readonly at: number; readonly of: number } | undefined;
}

export interface Exposure {
  readonly ids: ReadonlySet<string>;
  readonly lost: readonly LeftOut[];
}

/** A route's number is what its provider takes: a person's only lowers it. Its tokens are a default. `own`: tools of the host in the request. */
export const limitsFor = (route: { readonly maxTools: number; readonly toolTokens: number }, wishes: Pick<ExposureWishes, 'tools' | 'tokens'> | undefined, own: number): ExposureLimits => {
  const wanted = (wishes?.tools ?? Infinity) + own;
  return { tools: Math.min(route.maxTools, wanted), tokens: wishes?.tokens ?? route.toolTokens, toolsBy: wanted < route.maxTools ? 'person' : 'route' };
};

/** Whether one request carries all of them. */
export const fitsWhole = (tools: readonly Weighed[], limits: ExposureLimits): boolean => tools.length <= limits.tools && tools.reduce((sum, { tokens }) => sum + tokens, 0) <= limits.tokens;

/**
 * Takes tools in this order until the number is reached; one that is too heavy for what is left of the tokens is passed over. The first `always` count
 * against both and are never left out.
 */
export const expose = (inOrder: readonly Weighed[], always: number, limits: ExposureLimits): Exposure => {
  const ids = new Set<string>();
  const lost: LeftOut[] = [];
  let tokens = 0;
  for (const [at, { id, tokens: weight }] of inOrder.entries()) {
    if (at >= always && ids.size >= limits.tools) lost.push({ capabilityId: id, reason: limits.toolsBy === 'person' ? `tools_limit: ${limits.tools - always}` : `route_limit: ${limits.tools}` });
    else if (at >= always && tokens + weight > limits.tokens) lost.push({ capabilityId: id, reason: `token_budget: ${limits.tokens}` });
    else {
      ids.add(id);
      tokens += weight;
    }
  }
  return { ids, lost };
};
