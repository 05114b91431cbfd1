import { fault, type Fault } from '../../../shared/fault.ts';
import { ServerSpecSchema, type ServerSpec } from '../../../shared/server.ts';
import { parsePackageRequest } from '../../market/package-request.ts';
import { valueMisfit } from '../../servers/launch-values.ts';

/**
 * What add, preview and update have in common: the spec fits its schema, can be installed or started, and holds nothing that would be stored in the clear.
 * `place` is the JSON Pointer under which the caller gave the spec's fields. Fault: `invalid_request` with the field.
 */
export const checkSpec = (spec: ServerSpec, place: '/spec' | ''): Fault | null => {
  const parsed = ServerSpecSchema.safeParse(spec);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fault('invalid_request', `the server cannot be configured so: ${issue?.message ?? 'it does not fit'}`, { field: `${place}/${issue?.path.join('/') ?? ''}`, remedy: 'Correct the named field.' });
  }
  switch (spec.kind) {
    case 'builtin':
      return null;
    case 'http':
      return addressMisfit(spec.url, `${place}/url`, 'Give them as a secret header, for example Authorization.');
    case 'npm': {
      const asked = parsePackageRequest(spec);
      if (!asked.ok) return { ...asked.error, field: `${place}/${asked.error.field === 'spec.version' ? 'version' : 'package'}` };
      return checkTexts((spec.args ?? []).map((arg, at) => [`args/${at}`, arg]), place);
    }
    case 'command':
      return checkTexts([['command', spec.command], ['cwd', spec.cwd ?? ''], ...(spec.args ?? []).map((arg, at): [string, string] => [`args/${at}`, arg])], place);
  }
};

const checkTexts = (texts: readonly (readonly [string, string])[], place: string): Fault | null => {
  for (const [field, text] of texts) {
    const misfit = valueMisfit('arg', text);
    if (misfit) return fault('invalid_request', `${field} ${misfit.what}`, { field: `${place}/${field}`, remedy: misfit.remedy });
  }
  return null;
};

/** `elsewhere`: where a user's name and password belong instead. */
export const addressMisfit = (address: string, field: string, elsewhere: string): Fault | null => {
  // a reader of addresses leaves these out in silence: what is shown would not be what is asked
  if (/[\u0000-\u0020\u007f]/.test(address)) return fault('invalid_request', 'an address holds no blanks, line breaks or control characters', { field, remedy: 'Remove them, or write a blank as %20.' });
  const url = new URL(address);
  if (url.username === '' && url.password === '') return null;
  return fault('invalid_request', 'an address must not hold a user name or a password: it is stored and shown in the clear', { field, remedy: elsewhere });
};
