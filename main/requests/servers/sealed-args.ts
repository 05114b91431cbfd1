import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Argument, ArgumentInput } from '../../../shared/server.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { placesOf } from '../../servers/argument-places.ts';
import type { ArgumentChange } from '../../servers/argument-places.ts';
import { valueMisfit } from '../../servers/launch-values.ts';

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
