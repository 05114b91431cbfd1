import type { InputOf } from '../../../shared/contract/contract.ts';
import type { ServerLogLevel } from '../../../shared/log-level.ts';
import type { MarketEntry, MarketInput } from '../../../shared/market.ts';
import type { ArgumentInput, ConfigValue, ConfigValueInput, ErrorWords, ServerSpec } from '../../../shared/server.ts';
import { isWholePath } from '../../../shared/whole-path.ts';
import { argsOf, hasEmptySecret, newArgument, type DraftArguments } from './draft-args.ts';
import type { SplitCommand } from './split-command.ts';

/** One environment variable or header while it is being written. `stored` is a secret that is kept and can only be replaced. */
export interface DraftValue {
  readonly key: number;
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  readonly stored: boolean;
}

export interface Draft extends DraftArguments {
  readonly name: string;
  readonly spec: ServerSpec;
  readonly env: readonly DraftValue[];
  readonly headers: readonly DraftValue[];
  readonly home: 'own' | 'user';
  readonly required: boolean;
  readonly errorWords: ErrorWords;
  readonly logLevel: ServerLogLevel;
  readonly marketEntryId: string | null;
  /** what a market entry asks for, by the input's name; several lines where it may be repeated */
  readonly answers: Readonly<Record<string, string>>;
}

export const emptyDraft = (kind: 'npm' | 'command' | 'http'): Draft => ({
  name: '',
  spec: kind === 'npm' ? { kind, package: '' } : kind === 'command' ? { kind, command: '' } : { kind, url: '' },
  argsText: '',
  argRows: null,
  env: [],
  headers: [],
  home: kind === 'command' ? 'user' : 'own',
  required: false,
  errorWords: 'words',
  logLevel: 'default',
  marketEntryId: null,
  answers: {},
});

export const draftOfEntry = (entry: MarketEntry): Draft => ({
  ...emptyDraft('npm'),
  name: entry.name,
  spec: entry.spec,
  marketEntryId: entry.id,
  answers: Object.fromEntries(entry.inputs.map((input) => [input.name, input.default ?? (input.format === 'boolean' ? 'false' : '')])),
});

/** The draft with a whole line taken apart: the program as the command, the rest before the arguments it has. */
export const withSplit = (draft: Draft, { command, args }: SplitCommand): Draft =>
  draft.spec.kind !== 'command'
    ? draft
    : {
        ...draft,
        spec: { ...draft.spec, command },
        ...(draft.argRows === null ? { argsText: [...args, ...argsOf(draft.argsText)].join('\n') } : { argRows: [...args.map((arg) => newArgument(arg, false)), ...draft.argRows] }),
      };

const answersOf = (input: MarketInput, answers: Draft['answers']): string[] => {
  const text = answers[input.name] ?? '';
  const prefix = input.prefix ?? '';
  return (input.repeated ? text.split('\n') : [text])
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (line.startsWith(prefix) ? line : prefix + line));
};

/** A flag (`--root`) goes before each of its values, a true boolean flag alone; any other name is a position. */
const argumentsOf = (input: MarketInput, answers: Draft['answers']): ArgumentInput[] => {
  const values = answersOf(input, answers);
  if (input.format === 'boolean' && input.name.startsWith('-')) return values[0] === 'true' ? [input.name] : [];
  return values.flatMap((text) => {
    const value = input.secret ? { secret: text } : text;
    return input.name.startsWith('-') && input.prefix === undefined ? [input.name, value] : [value];
  });
};

const valuesOf = (rows: readonly DraftValue[]): Record<string, ConfigValueInput> =>
  Object.fromEntries(rows.filter((row) => row.name !== '' && !row.stored).map((row) => [row.name, row.secret ? { secret: row.value } : row.value]));

/** Names of what is missing or cannot be: market inputs by name, else the field. Empty when it can be previewed. */
export const missing = (draft: Draft, inputs: readonly MarketInput[]): readonly string[] => [
  ...inputs.filter((input) => input.required && answersOf(input, draft.answers).length === 0).map((input) => input.name),
  ...relativeFolders(draft, inputs),
  ...(draft.spec.kind === 'npm' && draft.spec.package.trim() === '' ? ['package'] : []),
  ...(draft.spec.kind === 'command' && draft.spec.command.trim() === '' ? ['command'] : []),
  ...(draft.spec.kind === 'http' && !/^https?:\/\/[^\s/]/.test(draft.spec.url) ? ['url'] : []),
  ...(hasEmptySecret(draft) ? ['args'] : []),
  ...[...draft.env, ...draft.headers].filter((row) => row.secret && !row.stored && row.name !== '' && row.value === '').map((row) => row.name),
];

/** Names of market inputs that ask for a folder and have one that depends on where the app starts. `~` is no folder to a program: nothing expands it. */
const relativeFolders = (draft: Draft, inputs: readonly MarketInput[]): readonly string[] =>
  inputs.filter((input) => input.format === 'directory' && answersOf(input, draft.answers).some((folder) => !isWholePath(folder.slice(input.prefix?.length ?? 0)))).map((input) => input.name);

export const hasSecrets = (input: AddInput): boolean => [...Object.values(input.env ?? {}), ...Object.values(input.headers ?? {}), ...(input.args ?? [])].some((value) => typeof value !== 'string');

export type AddInput = InputOf<'servers:add'>;

/** A spec holds no secrets: from the first one on, arguments are the server's own, in the same order. */
const splitAtSecret = (args: readonly ArgumentInput[]): { readonly plain: string[]; readonly sealed: ArgumentInput[] } => {
  const first = args.findIndex((arg) => typeof arg !== 'string');
  const plain = args.slice(0, first < 0 ? args.length : first).filter((arg) => typeof arg === 'string');
  return { plain, sealed: first < 0 ? [] : args.slice(first) };
};

/** What `servers:preview` and `servers:add` are asked with. */
export const addInput = (draft: Draft, inputs: readonly MarketInput[]): AddInput => {
  const own: ArgumentInput[] = draft.argRows === null ? argsOf(draft.argsText) : draft.argRows.map((row) => (row.secret ? { secret: row.value } : row.value));
  const { plain: args, sealed } = splitAtSecret([...own, ...inputs.filter((input) => input.target === 'arg').flatMap((input) => argumentsOf(input, draft.answers))]);
  const asked = (target: 'env' | 'header'): Record<string, ConfigValueInput> =>
    Object.fromEntries(
      inputs.filter((input) => input.target === target).flatMap((input) => answersOf(input, draft.answers).slice(0, 1).map((value) => [input.name, input.secret ? { secret: value } : value] as const)),
    );
  const env = { ...asked('env'), ...valuesOf(draft.env) };
  const headers = { ...asked('header'), ...valuesOf(draft.headers) };
  const { spec } = draft;
  const withArgs: ServerSpec =
    spec.kind === 'npm'
      ? { kind: 'npm', package: spec.package.trim(), ...(spec.version ? { version: spec.version.trim() } : {}), ...((spec.args?.length ?? 0) + args.length > 0 ? { args: [...(spec.args ?? []), ...args] } : {}) }
      : spec.kind === 'command'
        ? { kind: 'command', command: spec.command.trim(), ...((spec.args?.length ?? 0) + args.length > 0 ? { args: [...(spec.args ?? []), ...args] } : {}), ...(spec.cwd ? { cwd: spec.cwd } : {}) }
        : spec;
  return {
    spec: withArgs,
    ...(draft.name.trim() === '' ? {} : { name: draft.name.trim() }),
    ...(sealed.length > 0 ? { args: sealed } : {}),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(spec.kind === 'http' ? {} : { home: draft.home }),
    required: draft.required,
    ...(draft.errorWords === 'words' ? {} : { errorWords: draft.errorWords }),
    ...(draft.logLevel === 'default' ? {} : { logLevel: draft.logLevel }),
    ...(draft.marketEntryId === null ? {} : { marketEntryId: draft.marketEntryId }),
  };
};

let nextKey = 1;
export const newValue = (secret: boolean): DraftValue => ({ key: nextKey++, name: '', value: '', secret, stored: false });

/** Stored values as rows to edit: plain ones as text, secrets only as the fact that there is one. */
export const rowsOf = (stored: Readonly<Record<string, ConfigValue>>): readonly DraftValue[] =>
  Object.entries(stored).map(([name, value]) => ({ key: nextKey++, name, value: 'plain' in value ? value.plain : '', secret: !('plain' in value), stored: !('plain' in value) }));

/** What changed, for `servers:update`: changed and new values, null for a name that is gone. A stored secret left alone is left out. */
export const changedValues = (before: Readonly<Record<string, ConfigValue>>, rows: readonly DraftValue[]): Record<string, ConfigValueInput | null> => {
  const changes: Record<string, ConfigValueInput | null> = {};
  for (const name of Object.keys(before)) if (!rows.some((row) => row.name === name)) changes[name] = null;
  for (const row of rows) {
    if (row.name === '' || row.stored) continue;
    const old = before[row.name];
    if (row.secret) changes[row.name] = { secret: row.value };
    else if (old === undefined || !('plain' in old) || old.plain !== row.value) changes[row.name] = row.value;
  }
  return changes;
};
