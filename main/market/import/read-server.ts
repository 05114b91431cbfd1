import { fault, type Fault } from '../../../shared/fault.ts';
import type { NotBroughtReason } from '../../../shared/import.ts';
import type { FoundServer, InputHint, Unread } from './found-server.ts';
import { isArray, isObject, member, scalarText, textOf, type JsonObject, type JsonValue } from './json-value.ts';
import { splitWords } from './split-words.ts';
import { whyUnread } from './unread-fields.ts';

type Path = readonly (string | number)[];

const URL_FIELDS = ['url', 'serverUrl', 'httpUrl', 'uri', 'endpoint', 'serverURL', 'sseUrl'] as const;
const COMMAND_FIELDS = ['command', 'cmd'] as const;
const UNSUPPORTED = new Set(['ws', 'websocket', 'sdk', 'inmemory', 'builtin', 'frontend', 'inline_python', 'platform']);
const LOCAL = /^(stdio|local|command|process)$/i;
const REMOTE = /^(http|https|sse|streamable[-_]?http|http[-_]?stream|remote)$/i;

/** An object that says what to start or where to connect. */
export const looksLikeServer = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && ([...COMMAND_FIELDS, ...URL_FIELDS].some((field) => typeof member(value, field) === 'string') || isObject(member(value, 'command')) || isArray(member(value, 'command')) || (isObject(member(value, 'transport')) && looksLikeServer(member(value, 'transport'))));

const isUsableCommand = (value: JsonValue | undefined): boolean => (typeof value === 'string' && value.trim() !== '') || isArray(value) || (isObject(value) && textOf(member(value, 'path') ?? member(value, 'command')) !== undefined);

export const unfit = (why: 'nothing_to_start' | 'transport' | 'address' | 'argument' | 'bundle' | 'shell_from_link', message: string, field: string): Fault =>
  fault('import_unfit', message, { field, remedy: 'Add this one by hand if you need it.', details: { why } });

/** Takes fields off an object one by one; what nobody took is told with its reason. */
class Fields {
  readonly unread: Unread[] = [];
  readonly #left: Map<string, JsonValue>;
  readonly #path: Path;

  constructor(object: JsonObject, path: Path) {
    this.#left = new Map(Object.entries(object));
    this.#path = path;
  }

  take(...names: readonly string[]): JsonValue | undefined {
    for (const name of names) {
      const value = this.#left.get(name);
      if (value === undefined) continue;
      this.#left.delete(name);
      return value;
    }
    return undefined;
  }

  /** Only what is a text; anything else stays and is told. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) if (typeof this.#left.get(name) === 'string') return this.take(name) as string;
    return undefined;
  }

  truth(name: string): boolean | undefined {
    return typeof this.#left.get(name) === 'boolean' ? (this.take(name) as boolean) : undefined;
  }

  refuse(reason: NotBroughtReason, value: JsonValue, ...path: Path): void {
    this.unread.push({ path: [...this.#path, ...path], reason, value });
  }

  /** Gives back what was taken and does not fit. */
  putBack(name: string, value: JsonValue | undefined): void {
    if (value !== undefined) this.#left.set(name, value);
  }

  rest(): void {
    for (const [name, value] of this.#left) this.unread.push({ path: [...this.#path, name], reason: whyUnread(name), value });
    this.#left.clear();
  }
}

const pairsOf = (fields: Fields, value: JsonValue | undefined, field: string): [string, string][] => {
  if (value === undefined || value === null) return [];
  if (isArray(value)) {
    return value.flatMap((one, at): [string, string][] => {
      const text = scalarText(one);
      const equals = text?.indexOf('=') ?? -1;
      if (text !== undefined && equals > 0) return [[text.slice(0, equals), text.slice(equals + 1)]];
      const name = isObject(one) ? textOf(member(one, 'name') ?? member(one, 'key')) : undefined;
      const inner = isObject(one) ? scalarText(member(one, 'value')) : undefined;
      if (name !== undefined && inner !== undefined && isObject(one) && Object.keys(one).length === 2) return [[name, inner]];
      fields.refuse('bad_value', one, field, at);
      return [];
    });
  }
  if (!isObject(value)) {
    fields.refuse('bad_value', value, field);
    return [];
  }
  return Object.entries(value).flatMap(([name, one]): [string, string][] => {
    const text = scalarText(one);
    if (text !== undefined) return [[name, text]];
    fields.refuse(one === null ? 'unset_variable' : 'bad_value', one, field, name);
    return [];
  });
};

/** Later ones win, as in the programs that read these files; what is covered is told. */
const merged = (fields: Fields, field: string, ...lists: readonly (readonly [string, string])[][]): [string, string][] => {
  const all = new Map<string, [string, string]>();
  for (const [name, text] of lists.flat()) {
    const key = field === 'headers' ? name.toLowerCase() : name;
    const before = all.get(key);
    if (before !== undefined && before[1] !== text) fields.refuse('duplicate', before[1], field, before[0]);
    all.delete(key);
    all.set(key, [name, text]);
  }
  return [...all.values()];
};

/** Codex: names of host variables that the server is given. Source: openai/codex, codex-rs/config/src/mcp_types.rs. */
const passedOn = (fields: Fields, value: JsonValue | undefined): [string, string][] => {
  if (value === undefined) return [];
  if (!isArray(value)) {
    fields.refuse('bad_value', value, 'env_vars');
    return [];
  }
  return value.flatMap((one, at): [string, string][] => {
    const name = textOf(one) ?? (isObject(one) && member(one, 'source') !== 'remote' ? textOf(member(one, 'name')) : undefined);
    if (name !== undefined) return [[name, `\${${name}}`]];
    fields.refuse('host_feature', one, 'env_vars', at);
    return [];
  });
};

interface Words {
  readonly command: string | null;
  readonly args: readonly string[];
  readonly fault: Fault | null;
}

const wordsOf = (fields: Fields, raw: JsonValue | undefined, rawArgs: JsonValue | undefined): Words => {
  let command: string | null = null;
  const args: string[] = [];
  let bad: Fault | null = null;
  const add = (value: JsonValue | undefined, field: string): void => {
    if (value === undefined || value === null) return;
    if (typeof value === 'string') return void args.push(...splitWords(value).words);
    if (!isArray(value)) {
      fields.refuse('bad_value', value, field);
      bad ??= unfit('argument', 'its arguments are no list', field);
      return;
    }
    for (const [at, one] of value.entries()) {
      const text = scalarText(one);
      if (text !== undefined) args.push(text);
      else {
        fields.refuse('bad_value', one, field, at);
        bad ??= unfit('argument', `argument ${at + 1} is no text`, `${field}/${at}`);
      }
    }
  };
  if (typeof raw === 'string') command = raw;
  else if (isArray(raw)) {
    add(raw, 'command');
    command = args.shift() ?? null;
  } else if (isObject(raw)) command = textOf(member(raw, 'path') ?? member(raw, 'command')) ?? null;
  if (isObject(raw)) {
    add(member(raw, 'args'), 'command/args');
    for (const [name, value] of Object.entries(raw)) if (!['path', 'command', 'args', 'env'].includes(name)) fields.refuse(whyUnread(name), value, 'command', name);
  }
  add(rawArgs, 'args');
  return { command, args, fault: bad };
};

/**
 * Reads one server entry of any of the known programs. Every field is taken, or listed as unread with its reason. `dollar`: this source also fills in a bare `$NAME`
 * (Gemini CLI, docs/tools/mcp-server.md); it is written as `${NAME}` here.
 */
export const readServer = (object: JsonObject, at: { readonly name: string | null; readonly path: Path; readonly inputs?: ReadonlyMap<string, InputHint>; readonly dollar?: boolean }): FoundServer => {
  const fields = new Fields(object, at.path);
  const nested = member(object, 'transport');
  if (isObject(nested)) {
    fields.take('transport');
    for (const [name, value] of Object.entries(nested)) {
      if (member(object, name) === undefined) fields.putBack(name, value);
      else fields.refuse('duplicate', value, 'transport', name);
    }
  }
  const type = fields.text('transport', 'type', 'transportType', 'transport_type') ?? '';
  if (type !== '' && !REMOTE.test(type) && !LOCAL.test(type) && !UNSUPPORTED.has(type.toLowerCase())) fields.refuse('unknown', type, 'type');
  const ownName = fields.text('name');
  const rawCommand = fields.take(...COMMAND_FIELDS.filter((name) => isUsableCommand(member(object, name))));
  const words = wordsOf(fields, rawCommand, fields.take('args', 'arguments'));
  const urls = URL_FIELDS.flatMap((field) => {
    const value = fields.take(field);
    return value === undefined ? [] : [[field, value] as const];
  });
  const env = merged(
    fields,
    'env',
    pairsOf(fields, isObject(rawCommand) ? member(rawCommand, 'env') : undefined, 'command/env'),
    passedOn(fields, fields.take('env_vars')),
    ...['env', 'environment', 'envs'].map((name) => pairsOf(fields, fields.take(name), name)),
  );
  const bearer = fields.text('bearer_token');
  const bearerVariable = fields.text('bearer_token_env_var');
  const init = isObject(member(object, 'requestInit')) ? fields.take('requestInit') : undefined;
  if (isObject(init)) for (const [name, value] of Object.entries(init)) if (name !== 'headers') fields.refuse('host_feature', value, 'requestInit', name);
  const headers = merged(
    fields,
    'headers',
    bearer === undefined ? [] : [['Authorization', `Bearer ${bearer}`]],
    bearerVariable === undefined ? [] : [['Authorization', `Bearer \${${bearerVariable}}`]],
    pairsOf(fields, fields.take('env_http_headers'), 'env_http_headers').map(([name, variable]): [string, string] => [name, `\${${variable}}`]),
    pairsOf(fields, isObject(init) ? member(init, 'headers') : undefined, 'requestInit/headers'),
    pairsOf(fields, fields.take('http_headers'), 'http_headers'),
    pairsOf(fields, fields.take('headers'), 'headers'),
  );
  const cwd = fields.text('cwd', 'workingDirectory', 'working_directory') ?? null;
  const off = [fields.truth('disabled') === true, ...['enabled', 'isActive', 'active'].map((name) => fields.truth(name) === false)].some(Boolean);
  const urlText = urls.map(([, value]) => textOf(value)).find((text) => text !== undefined);
  const remote = urlText !== undefined && (words.command === null || (REMOTE.test(type) && !/^stdio$/i.test(type)));
  if (remote && words.command !== null) fields.refuse('other_transport', [words.command, ...words.args], 'command');
  if (words.command === null && words.args.length > 0) fields.refuse('other_transport', [...words.args], 'args');
  for (const [field, value] of urls) if (!remote || value !== urlText) fields.refuse(typeof value === 'string' ? 'other_transport' : 'bad_value', value, field);
  if (remote) for (const [name, value] of env) fields.refuse('other_transport', value, 'env', name);
  else for (const [name, value] of headers) fields.refuse('other_transport', value, 'headers', name);
  if (remote && cwd !== null) fields.refuse('other_transport', cwd, 'cwd');
  fields.rest();
  const dollar = (text: string): string => (at.dollar ? text.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, '${$1}') : text);
  const pairs = (all: readonly (readonly [string, string])[]): [string, string][] => all.map(([name, text]) => [name, dollar(text)]);
  const bad = UNSUPPORTED.has(type.toLowerCase())
    ? unfit('transport', `its transport ${type} is one that Gantry does not speak`, 'type')
    : words.command === null && !remote
      ? unfit('nothing_to_start', 'it names neither a command nor an address', 'command')
      : words.fault;
  return {
    name: at.name ?? ownName ?? '',
    path: at.path,
    command: remote || words.command === null ? null : dollar(words.command),
    args: remote ? [] : words.args.map(dollar),
    cwd: remote || cwd === null ? null : dollar(cwd),
    url: remote ? dollar(urlText) : null,
    env: remote ? [] : pairs(env),
    headers: remote ? pairs(headers) : [],
    disabled: off,
    inputs: at.inputs ?? new Map(),
    unread: [...fields.unread, ...(at.name !== null && ownName !== undefined && ownName !== at.name ? [{ path: [...at.path, 'name'], reason: 'description' as const, value: ownName }] : [])],
    fault: bad,
  };
};
