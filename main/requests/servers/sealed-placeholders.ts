import { fault, type Fault } from '../../../shared/fault.ts';
import { holesOf } from '../../../shared/placeholders.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { Placeholder, PlaceholderInput, Placeholders, ServerSpec } from '../../../shared/server.ts';
import type { Secrets } from '../../secrets/secrets.ts';

type Inputs = Readonly<Record<string, PlaceholderInput | null>>;

/** Null, or why these cannot be kept: a variable no system has, a placeholder in the origin of an address (a secret would follow it to whoever it names). */
export const checkPlaceholders = (input: { readonly spec: ServerSpec; readonly placeholders?: Inputs | undefined }): Fault | null => {
  for (const [name, one] of Object.entries(input.placeholders ?? {})) {
    if (one !== null && 'variable' in one && /[=\0]/.test(one.variable)) return fault('invalid_request', `${JSON.stringify(one.variable)} is not a name of an environment variable`, { field: `/placeholders/${name}/variable`, remedy: 'Use letters, digits and underscores.' });
    if (input.spec.kind === 'http' && holesOf(input.spec.url.split(/[/?#]/, 3).join('/')).includes(name)) {
      return fault('invalid_request', `the placeholder ${name} stands in the host of the address`, { field: '/spec/url', remedy: 'Write the scheme, the host and the port themselves; placeholders may stand in the path and the query.' });
    }
  }
  return null;
};

/** Seals the secrets among them and merges them over `before`; null stays null where nothing was given. Call `checkPlaceholders` and `canSeal` first. */
export const sealPlaceholders = (
  input: { readonly serverId: string; readonly inputs: Inputs | undefined; readonly before: Readonly<Placeholders> | null },
  deps: { readonly secrets: Pick<Secrets, 'put'> },
): Result<{ readonly placeholders: Readonly<Placeholders> | null; readonly replaced: readonly string[] }, Fault> => {
  if (input.inputs === undefined) return ok({ placeholders: input.before, replaced: [] });
  const placeholders: Record<string, Placeholder> = { ...input.before };
  for (const [name, one] of Object.entries(input.inputs)) {
    if (one === null) {
      delete placeholders[name];
    } else if ('variable' in one) {
      placeholders[name] = one;
    } else {
      const sealed = deps.secrets.put({ serverId: input.serverId, place: `placeholder.${name}`, value: one.secret });
      if (!sealed.ok) return err({ ...sealed.error, field: `/placeholders/${name}` });
      placeholders[name] = { secretRef: sealed.value };
    }
  }
  const refs = (all: Readonly<Placeholders> | null): string[] => Object.values(all ?? {}).flatMap((one) => ('secretRef' in one ? [one.secretRef] : []));
  const kept = new Set(refs(placeholders));
  return ok({ placeholders, replaced: refs(input.before).filter((ref) => !kept.has(ref)) });
};

/** For the preview: secrets appear under their place, nothing is sealed. */
export const shownPlaceholders = (inputs: Readonly<Record<string, PlaceholderInput>> | undefined): Readonly<Placeholders> | null =>
  inputs === undefined ? null : Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, 'variable' in one ? one : { secretRef: `placeholder.${name}` }]));
