import { parseArgs } from 'node:util';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { MAX_LINK_LENGTH } from '../../shared/shell.ts';
import type { CommandRequest } from './command-channel/messages.ts';
import { resolveDataDir } from './data-dir.ts';
import { LINK_SCHEME, linkIn } from './deep-link.ts';
import { duplicateName } from './duplicate-name.ts';

export const COMMAND_HELP = `gantry: speaks to the Gantry of a data folder

  npm run -s gantry -- [--data-dir <folder>] rpc <request> ['<json>' | -]
  npm run -s gantry -- [--data-dir <folder>] open [link]  shows a window of the running Gantry, at a gantry: link
  npm run -s gantry -- [--data-dir <folder>] stop         ends the running Gantry

Prints one line, {"ok":true,"value":...} or {"ok":false,"error":{"code","message",...}}; exit code 0 or 1.
With - the JSON is read from standard input. Without a running Gantry rpc starts a host of its own for this one request
and ends it, with every server it connected. GANTRY_DATA_DIR names the folder too. Requests: shared/contract/.
`;

export type ParsedCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'ask'; readonly dataDir: string; readonly approvals: 'window' | 'script'; readonly request: CommandRequest };

const refuse = (message: string, field?: string): Result<never, Fault> =>
  err(fault('invalid_request', message, { remedy: 'See npm run -s gantry -- --help.', ...(field ? { field } : {}) }));

/** JSON.parse and JSON.rawJSON of ECMA-262 2026 (proposal "source text access"), which TypeScript's library does not name yet. */
const sourceJson = JSON as unknown as { parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown; rawJSON(source: string): unknown };

/** The tool's arguments of `calls:try` as their raw text: a double would round a long number before the line could judge it. */
const withRawArguments = (text: string, input: unknown): unknown => {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'input') || Object.hasOwn(input, 'inputText')) return input;
  const exact = sourceJson.parse(text, (_key, value, context) => (typeof value === 'number' && context.source ? sourceJson.rawJSON(context.source) : value)) as { input: unknown };
  const { input: _rounded, ...rest } = input as Record<string, unknown>;
  return { ...rest, inputText: JSON.stringify(exact.input) };
};

const parseInput = (name: string, text: string): Result<unknown, Fault> => {
  try {
    const input = JSON.parse(text) as unknown;
    const twice = duplicateName(text);
    if (twice !== null) return err(fault('invalid_request', `The input has a name twice, at ${twice}: readers disagree about which one counts.`, { field: twice, remedy: 'Give the name once.' }));
    return ok(name === 'calls:try' ? withRawArguments(text, input) : input);
  } catch (error) {
    return refuse(`The input is not JSON: ${error instanceof Error ? error.message : String(error)}`, 'input');
  }
};

/** `readStdin` is called only where the JSON argument is `-`. */
export const parseCommand = async (argv: readonly string[], env: Readonly<Record<string, string | undefined>>, readStdin: () => Promise<string>): Promise<Result<ParsedCommand, Fault>> => {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { 'data-dir': { type: 'string' }, approvals: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const [verb, ...rest] = positionals;
  if (values.help || verb === 'help') return ok({ kind: 'help' });
  const approvals = values.approvals ?? 'window';
  if (approvals !== 'window' && approvals !== 'script') return refuse('--approvals is window or script', 'approvals');
  const target = { kind: 'ask', dataDir: resolveDataDir(values['data-dir'], env), approvals } as const;
  if ((verb === 'open' || verb === 'stop') && rest.length === 0) return ok({ ...target, request: { kind: verb } });
  if (verb === 'open' && rest.length === 1) {
    const link = rest[0] ?? '';
    if (linkIn([link]) === null || link.length > MAX_LINK_LENGTH) return refuse(`A link begins with ${LINK_SCHEME}: and has at most ${MAX_LINK_LENGTH} characters.`, 'link');
    return ok({ ...target, request: { kind: 'open', link } });
  }
  const [name, given, ...extra] = rest;
  if (verb !== 'rpc' || name === undefined || extra.length > 0) return refuse('Expected: rpc <request> [json], open, or stop');
  const input = parseInput(name, given === '-' ? await readStdin() : (given ?? '{}'));
  return input.ok ? ok({ ...target, request: { kind: 'rpc', name, input: input.value } }) : input;
};
