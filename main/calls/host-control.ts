import { fault, type Fault } from '../../shared/fault.ts';
import { HOST_RESULT, type HostResult } from '../../shared/host-result.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { acceptsHostField } from '../capabilities/host-field.ts';
import type { Undo } from '../capabilities/routes/undo.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';
import { readJson } from './read-json.ts';
import type { Repaired } from './repairs.ts';

type Members = Readonly<Record<string, unknown>>;

const PLACE = pointerStep(HOST_RESULT);
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 6901, section 3: empty, or tokens that each follow a slash, with `~` only as `~0` and `~1`. */
const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);

const KNOWN: Readonly<Record<keyof HostResult, { readonly fits: (value: unknown) => boolean; readonly wants: string }>> = {
  select: { fits: (value) => typeof value === 'string' && isPointer(value), wants: 'a JSON Pointer (RFC 6901) as text, such as "/rows/0"' },
  refresh: { fits: (value) => typeof value === 'boolean', wants: 'true or false' },
  byteBudget: { fits: (value) => Number.isSafeInteger(value) && (value as number) > 0, wants: 'a whole number of bytes above 0' },
};

const unfit = (field: string, what: string): Result<never, Fault> =>
  err(fault('invalid_input', `${HOST_RESULT} is for the host and not for the tool, and ${what}.`, { field, remedy: `Correct or leave out ${HOST_RESULT} and call again; nothing was sent.` }));

const read = (given: unknown): Result<HostResult | null, Fault> => {
  if (given === null) return ok(null);
  const parsed = typeof given === 'string' ? readJson(given) : ok(given);
  const value: unknown = parsed.ok ? parsed.value : given;
  if (!isMembers(value)) return unfit(PLACE, 'holds an object');
  const control: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name as keyof HostResult] : undefined;
    const field = PLACE + pointerStep(name);
    if (known === undefined) return unfit(field, `has no member ${JSON.stringify(name)}; it knows ${Object.keys(KNOWN).join(', ')}`);
    // null is how strict functions say "not given"
    if (member === null) continue;
    if (!known.fits(member)) return unfit(field, `"${name}" wants ${known.wants}`);
    control[name] = member;
  }
  return ok(Object.keys(control).length === 0 ? null : control);
};

/** A member of the server's own that a route shows under the host's name. */
const isRenamed = (undo: Undo | null | undefined): boolean => (undo?.members?.get(HOST_RESULT)?.name ?? HOST_RESULT) !== HOST_RESULT;

export interface WithoutControl {
  readonly rest: Repaired;
  readonly control: HostResult | null;
}

/**
 * Takes the host's field out of the arguments, where the tool's schema has room for it (acceptsHostField), whether or not it was shown; elsewhere a member of
 * that name is the tool's own or nobody's, and the original judges it. Error: invalid_input with the pointer.
 */
export const takeHostControl = (from: Repaired, inputSchema: unknown, undo: Undo | null | undefined): Result<WithoutControl, Fault> => {
  const { value } = from;
  if (!isMembers(value) || !Object.hasOwn(value, HOST_RESULT) || isRenamed(undo) || !acceptsHostField(inputSchema)) return ok({ rest: from, control: null });
  const control = read(value[HOST_RESULT]);
  if (!control.ok) return control;
  // fromEntries defines own members, so a name `__proto__` stays data
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => name !== HOST_RESULT));
  return ok({ rest: { value: rest, repairs: [...from.repairs, { pointer: PLACE, what: 'host_field_taken_out' }] }, control: control.value });
};
