const PRIORITIES = ['cost', 'speed', 'intelligence'] as const;

export interface ModelWishes {
  readonly names: readonly string[];
  /** 0 to 1: how much it matters to the server */
  readonly priorities: readonly { readonly of: (typeof PRIORITIES)[number]; readonly share: number }[];
}

/** What a server would like of the model (MCP `modelPreferences`). Wishes: nothing is chosen by them. */
export const modelWishes = (preferences: Readonly<Record<string, unknown>> | undefined): ModelWishes => {
  const hints: readonly unknown[] = Array.isArray(preferences?.['hints']) ? preferences['hints'] : [];
  const names = hints.map((hint) => (typeof hint === 'object' && hint !== null ? (hint as { readonly name?: unknown }).name : undefined)).filter((name): name is string => typeof name === 'string' && name !== '');
  const priorities = PRIORITIES.map((of) => ({ of, share: preferences?.[`${of}Priority`] })).filter((one): one is { readonly of: (typeof PRIORITIES)[number]; readonly share: number } => typeof one.share === 'number' && one.share >= 0 && one.share <= 1);
  return { names: names.slice(0, 10), priorities };
};
