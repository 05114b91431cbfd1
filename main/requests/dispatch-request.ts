import type { z } from 'zod';
import { contract, type RequestName } from '../../shared/contract/contract.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, type Result } from '../../shared/result.ts';
import type { Log } from '../log.ts';
import { RowUnreadable } from '../store/row-unreadable.ts';
import { completeFault } from './complete-fault.ts';
import type { AllHandlers, Caller, Handler } from './handlers.ts';
import { withoutSecrets } from './person-words.ts';

const isRequestName = (name: string): name is RequestName => Object.hasOwn(contract, name);

/** JSON Pointer (RFC 6901) of a zod issue's path. */
const pointerOf = (path: readonly PropertyKey[]): string => path.map((p) => `/${String(p).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

interface Unfit {
  readonly at: string;
  readonly what: string;
  readonly remedy: string;
}

const TORN = { what: 'holds half of a character (an unpaired surrogate)', remedy: 'Send well-formed Unicode text.' };
const NO_NAME = { what: 'has a name that no table of values can carry', remedy: 'Choose another name than __proto__.' };

/**
 * The first text or name that is not well-formed Unicode: it could be neither hashed nor stored; or a name that the schemas would drop without a word. `input` of a
 * call is judged by the line itself, which carries both.
 */
const unfitAt = (value: unknown, pointer: string): Unfit | null => {
  if (typeof value === 'string') return value.isWellFormed() ? null : { at: pointer, ...TORN };
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    if (pointer === '' && key === 'input') continue;
    const at = `${pointer}/${key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found = !key.isWellFormed() ? { at, ...TORN } : key === '__proto__' ? { at, ...NO_NAME } : unfitAt(member, at);
    if (found !== null) return found;
  }
  return null;
};

const invalidRequest = (name: string, error: z.ZodError): Fault => {
  const issue = error.issues[0];
  const field = issue ? pointerOf(issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path) : '';
  return fault('invalid_request', `${name}: ${issue?.message ?? 'input does not fit'}${field ? ` at ${field}` : ''}`, {
    field: field || '/',
    remedy: 'Correct the named field; the shapes of all requests are in shared/contract.',
  });
};

/**
 * The one entrance of every shell: unknown names, misfit inputs and missing scope are refused with a code before a handler sees them;
 * a bug in a handler becomes `internal` and is logged, never thrown across a process. `mask` hides known secret values.
 */
export const dispatchRequest =
  (handlers: AllHandlers, log: Log, mask: (text: string) => string = (text) => text) =>
  async (name: string, input: unknown, caller: Caller): Promise<Result<unknown, Fault>> => {
    if (!isRequestName(name)) {
      return err(fault('invalid_request', `unknown request ${JSON.stringify(name.slice(0, 80))}`, { field: 'request', remedy: `Known requests: ${Object.keys(contract).join(', ')}` }));
    }
    const definition = contract[name];
    if (definition.scope === 'decide' && !caller.canDecide) {
      return err(fault('forbidden', `${name} may only be done in the window`, { remedy: 'Decide in the window, or start the host with --approvals=script.' }));
    }
    const unfit = unfitAt(input, '');
    if (unfit !== null) return err(fault('invalid_request', `${name}: what stands at ${unfit.at || '/'} ${unfit.what}`, { field: unfit.at || '/', remedy: unfit.remedy }));
    const parsed = definition.input.safeParse(input ?? {});
    if (!parsed.success) return err(invalidRequest(name, parsed.error));
    try {
      const clean = withoutSecrets(parsed.data, mask);
      if (!clean.ok) return clean;
      const answer = await (handlers[name] as Handler<RequestName>)(clean.value as never, caller);
      return answer.ok ? answer : err(completeFault(answer.error, parsed.data));
    } catch (error) {
      if (error instanceof RowUnreadable) return err(fault('row_unreadable', `What is stored under ${error.row} cannot be read: it was changed by hand, or written by a newer Gantry. It was left as it is.`, { remedy: 'Use the Gantry that wrote it, or put a copy of the database in its place.', details: { table: error.table, row: error.row } }));
      log.error('request failed by a bug', { request: name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      return err(fault('internal', `${name} failed inside Gantry`, { remedy: 'The log file in the data folder has the details.' }));
    }
  };
