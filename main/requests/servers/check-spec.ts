import { fault, type Fault } from '../../../shared/fault.ts';
import { ServerSpecSchema, type ServerSpec } from '../../../shared/server.ts';

/**
 * What add, preview and update have in common: the spec fits its schema and holds nothing that could not be started or would be stored in the clear.
 * `place` is the JSON Pointer under which the caller gave the spec's fields. Fault: `invalid_request` with the field.
 */
export const checkSpec = (spec: ServerSpec, place: '/spec' | ''): Fault | null => {
  const parsed = ServerSpecSchema.safeParse(spec);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fault('invalid_request', `the server cannot be configured so: ${issue?.message ?? 'it does not fit'}`, { field: `${place}/${issue?.path.join('/') ?? ''}`, remedy: 'Correct the named field.' });
  }
  if (spec.kind === 'http') {
    const url = new URL(spec.url);
    if (url.username === '' && url.password === '') return null;
    return fault('invalid_request', 'an address must not hold a user name or a password: it is stored and shown in the clear', { field: `${place}/url`, remedy: 'Give them as a secret header, for example Authorization.' });
  }
  const texts = spec.kind === 'command' ? [['command', spec.command], ['cwd', spec.cwd ?? ''], ...(spec.args ?? []).map((arg, at) => [`args/${at}`, arg])] : spec.kind === 'npm' ? (spec.args ?? []).map((arg, at) => [`args/${at}`, arg]) : [];
  const bad = texts.find(([, text]) => text!.includes('\0'));
  return bad ? fault('invalid_request', 'a NUL character cannot be passed to a program', { field: `${place}/${bad[0]}`, remedy: 'Remove the NUL character.' }) : null;
};
