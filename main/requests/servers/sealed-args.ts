import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Argument, ArgumentInput } from '../../../shared/server.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { valueMisfit } from '../../servers/launch-values.ts';

/** What a caller may give: new values, and on an update the reference of a secret that stays. */
type ArgumentChange = ArgumentInput | { readonly secretRef: string };

const textOf = (arg: ArgumentChange): string => (typeof arg === 'string' ? arg : 'secret' in arg ? arg.secret : '');

/** Null, or what is wrong with one of them. A reference has to be that of a sealed argument of this very server: nothing sealed elsewhere comes into a command line. */
export const checkArgs = (inputs: readonly ArgumentChange[] | undefined, before: readonly Argument[]): Fault | null => {
  const own = new Set(refsOf(before));
  for (const [at, arg] of (inputs ?? []).entries()) {
    const field = `/args/${at}`;
    const misfit = valueMisfit('arg', textOf(arg));
    if (misfit) return fault('invalid_request', `argument ${at + 1} ${misfit.what}`, { field, remedy: misfit.remedy });
    if (typeof arg !== 'string' && 'secretRef' in arg && !own.has(arg.secretRef)) return fault('invalid_request', 'this is not a sealed argument of this server', { field, remedy: 'Give the secret itself, or a reference that servers:get shows among the arguments.' });
  }
  return null;
};

const refsOf = (args: readonly ArgumentChange[]): string[] => args.flatMap((arg) => (typeof arg !== 'string' && 'secretRef' in arg ? [arg.secretRef] : []));

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

export interface SealedArgs {
  readonly args: readonly Argument[];
  /** references no longer used once the change is stored */
  readonly replaced: readonly string[];
}

/** Seals the secrets among `inputs`. A new value after the same flag keeps the reference, so that it moves no fingerprint. Call `checkArgs` and `canSeal` first. */
export const sealArgs = (
  input: { readonly serverId: string; readonly inputs: readonly ArgumentChange[]; readonly lead: readonly string[]; readonly before: readonly Argument[] },
  deps: { readonly secrets: Pick<Secrets, 'put' | 'list'> },
): Result<SealedArgs, Fault> => {
  const kept = new Set(refsOf(input.inputs));
  const held = new Set(deps.secrets.list().filter((secret) => kept.has(secret.ref)).map((secret) => secret.place));
  const places = placesOf(input.inputs, input.lead, held);
  const args: Argument[] = [];
  for (const [at, arg] of input.inputs.entries()) {
    if (typeof arg === 'string') args.push(arg);
    else if ('secretRef' in arg) args.push({ secretRef: arg.secretRef });
    else {
      const sealed = deps.secrets.put({ serverId: input.serverId, place: places.get(at)!, value: arg.secret });
      if (!sealed.ok) return err({ ...sealed.error, field: `/args/${at}` });
      args.push({ secretRef: sealed.value });
    }
  }
  const now = new Set(refsOf(args));
  return ok({ args, replaced: refsOf(input.before).filter((ref) => !now.has(ref)) });
};

/** For the preview: secrets appear under their place, nothing is sealed. */
export const shownArgs = (inputs: readonly ArgumentInput[], lead: readonly string[]): Argument[] => {
  const places = placesOf(inputs, lead, new Set());
  return inputs.map((arg, at) => (typeof arg === 'string' ? arg : { secretRef: places.get(at)! }));
};

/** The arguments that the spec itself brings. */
export const specArgs = (spec: { readonly kind: string; readonly args?: readonly string[] | undefined }): readonly string[] => spec.args ?? [];
