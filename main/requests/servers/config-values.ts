import type { Fault } from '../../../shared/fault.ts';
import { fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { ConfigValue, ConfigValueInput } from '../../../shared/server.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { nameMisfit, sameName, valueMisfit } from '../../servers/launch-values.ts';

type Inputs = Readonly<Record<string, ConfigValueInput | null>>;

/** Null, or the first name or value that could not be passed on; secret values are judged alike and never shown. `before`: what is configured already. */
export const checkConfigInputs = (place: 'env' | 'header', inputs: Inputs | undefined, before: Readonly<Record<string, unknown>> = {}): Fault | null => {
  const field = (name: string): string => `/${place === 'env' ? 'env' : 'headers'}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  for (const [name, value] of Object.entries(inputs ?? {})) {
    // whatever stands there from before can be removed
    if (value === null) continue;
    const ofName = nameMisfit(place, name);
    if (ofName) return fault('invalid_request', `${JSON.stringify(name)} ${ofName.what}`, { field: field(name), remedy: ofName.remedy });
    const misfit = valueMisfit(place, typeof value === 'string' ? value : value.secret, name);
    if (misfit) return fault('invalid_request', `the value of ${name} ${misfit.what}`, { field: field(name), remedy: misfit.remedy });
  }
  const names = new Set([...Object.keys(before), ...Object.keys(inputs ?? {})]);
  const twice = sameName(place, [...names].filter((name) => inputs?.[name] !== null));
  return twice && fault('invalid_request', `${twice[0]} and ${twice[1]} are one name: case does not count here`, { field: field(twice[1]), remedy: 'Give it once.' });
};

/** Null, or why no secret can be kept now; field names the first value concerned. */
export const canSeal = (places: readonly { readonly field: 'env' | 'headers' | 'args' | 'placeholders'; readonly inputs: Readonly<Record<string, unknown>> | readonly unknown[] | undefined }[], secrets: Pick<Secrets, 'status'>): Fault | null => {
  for (const { field, inputs } of places) {
    for (const [name, value] of Object.entries(inputs ?? {})) {
      if (typeof value !== 'object' || value === null || !('secret' in value)) continue;
      const { state } = secrets.status();
      if (state === 'ready') return null;
      return state === 'unavailable'
        ? fault('secret_store_unavailable', 'This computer offers no place that can keep a secret; nothing was stored.', { field: `/${field}/${name}`, remedy: 'Set a passphrase in Settings.' })
        : fault('secret_store_locked', state === 'locked' ? 'The secret store is locked; nothing was stored.' : state === 'asking' ? 'The key store of this system has not answered yet; nothing was stored.' : 'The secret store has no passphrase yet; nothing was stored.', {
            field: `/${field}/${name}`,
            remedy: 'Give the passphrase in Settings, by secrets:unlock {"passphrase": "..."}, or start the host with GANTRY_PASSPHRASE.',
          });
    }
  }
  return null;
};

export interface SealedValues {
  readonly values: Record<string, ConfigValue>;
  /** references made now: removed again when a later step fails */
  readonly created: readonly string[];
  /** references no longer used once the change is stored */
  readonly replaced: readonly string[];
}

/**
 * Seals the secrets among `inputs` and merges them over `before`. A null input removes its name.
 * Call `canSeal` first: after it this fails only where the store itself fails.
 */
export const sealConfigValues = (
  input: { readonly serverId: string; readonly place: 'env' | 'header'; readonly inputs: Inputs | undefined; readonly before: Readonly<Record<string, ConfigValue>> },
  deps: { readonly secrets: Pick<Secrets, 'put'> },
): Result<SealedValues, Fault> => {
  const values: Record<string, ConfigValue> = { ...input.before };
  const replaced: string[] = [];
  for (const [name, value] of Object.entries(input.inputs ?? {})) {
    const old = values[name];
    if (old && 'secretRef' in old) replaced.push(old.secretRef);
    if (value === null) {
      delete values[name];
    } else if (typeof value === 'string') {
      values[name] = { plain: value };
    } else {
      const sealed = deps.secrets.put({ serverId: input.serverId, place: `${input.place}.${name}`, value: value.secret });
      if (!sealed.ok) {
        return err({ ...sealed.error, field: `/${input.place === 'env' ? 'env' : 'headers'}/${name}` });
      }
      values[name] = { secretRef: sealed.value };
    }
  }
  // a rotated secret keeps its reference (design section 2): it is neither new nor left over
  const refs = (record: Readonly<Record<string, ConfigValue>>): Set<string> => new Set(Object.values(record).flatMap((v) => ('secretRef' in v ? [v.secretRef] : [])));
  const [before, after] = [refs(input.before), refs(values)];
  return ok({ values, created: [...after].filter((ref) => !before.has(ref)), replaced: replaced.filter((ref) => !after.has(ref)) });
};
