/** What a validator may be given in the host (design section 5). Results have larger byte budgets of their own, which come first. */
export interface ValueLimits {
  readonly nodes: number;
  readonly depth: number;
  /** characters of all strings and member names */
  readonly chars: number;
}

export type Measure = { readonly ok: true; readonly nodes: number; readonly chars: number } | { readonly ok: false; readonly message: string };

/** Measures a JSON value without recursion; stops at the first limit passed. */
export const measureValue = (root: unknown, limits: ValueLimits): Measure => {
  let nodes = 0;
  let chars = 0;
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) return { ok: false, message: `nested deeper than ${limits.depth} levels` };
    const next: unknown[] = [];
    for (const value of level) {
      nodes += 1;
      if (typeof value === 'string') chars += value.length;
      else if (Array.isArray(value)) for (const member of value) next.push(member);
      else if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value)) {
          chars += key.length;
          next.push((value as Record<string, unknown>)[key]);
        }
      }
      if (nodes + next.length > limits.nodes) return { ok: false, message: `more than ${limits.nodes} values` };
      if (chars > limits.chars) return { ok: false, message: `more than ${limits.chars} characters` };
    }
    level = next;
  }
  return { ok: true, nodes, chars };
};
