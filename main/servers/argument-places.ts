import type { ArgumentInput } from '../../shared/server.ts';

/** What a caller may give: new values, and on an update the reference of a secret that stays. */
export type ArgumentChange = ArgumentInput | { readonly secretRef: string };

/**
 * Where each secret among the arguments stands, as people read it: `arg.--token` after its flag, else `arg.<position from 1>`. A place that a kept secret holds is
 * not given again. `lead` are the arguments before these.
 */
export const placesOf = (inputs: readonly ArgumentChange[], lead: readonly string[], taken: ReadonlySet<string>): ReadonlyMap<number, string> => {
  const used = new Set(taken);
  const places = new Map<number, string>();
  for (const [at, arg] of inputs.entries()) {
    if (typeof arg === 'string' || 'secretRef' in arg) continue;
    const before = at === 0 ? lead.at(-1) : inputs[at - 1];
    const base = `arg.${typeof before === 'string' && /^-{1,2}[A-Za-z0-9][\w-]{0,60}$/.test(before) ? before : lead.length + at + 1}`;
    let place = base;
    for (let n = 2; used.has(place); n += 1) place = `${base}.${n}`;
    used.add(place);
    places.set(at, place);
  }
  return places;
};

/** The arguments that the spec itself brings. */
export const specArgs = (spec: { readonly kind: string; readonly args?: readonly string[] | undefined }): readonly string[] => spec.args ?? [];
