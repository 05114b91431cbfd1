import type { FoundServer, InputHint, Unread } from './found-server.ts';
import { isArray, isObject, member, scalarText, textOf, type JsonObject, type JsonValue } from './json-value.ts';
import { unfit } from './read-server.ts';
import { whyUnread } from './unread-fields.ts';

type Path = readonly (string | number)[];

/** `registry_type` (2025-07 and older) and `registryType`; `registry_name` and `name` are older still. Source: modelcontextprotocol/registry, docs/reference/server-json. */
const either = (object: JsonObject, camel: string): JsonValue | undefined => member(object, camel) ?? member(object, camel.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));

export const looksLikeRegistryEntry = (value: JsonValue | undefined): value is JsonObject =>
  isObject(value) && typeof member(value, 'name') === 'string' && [member(value, 'packages'), member(value, 'remotes')].some((list) => isArray(list) && list.length > 0 && list.every(isObject));

/** Collects what the entry asks for; each becomes `${input:name}`. */
class Asked {
  readonly inputs = new Map<string, InputHint>();

  add(name: string, from: JsonObject): string {
    let key = name;
    for (let n = 2; this.inputs.has(key); n += 1) key = `${name}-${n}`;
    const choices = either(from, 'choices');
    this.inputs.set(key, {
      description: textOf(member(from, 'description')) ?? '',
      secret: either(from, 'isSecret') === true,
      default: scalarText(member(from, 'default')) ?? null,
      choices: isArray(choices) ? choices.flatMap((one) => scalarText(one) ?? []) : [],
      required: either(from, 'isRequired') === true,
    });
    return `\${input:${key}}`;
  }

  /** The text of an input: its value with `{variables}` asked for, else a question of its own. */
  text(name: string, from: JsonObject): string {
    const value = scalarText(member(from, 'value'));
    if (value === undefined) return this.add(name, from);
    const variables = member(from, 'variables');
    return value.replace(/\{([A-Za-z0-9_.-]+)\}/g, (raw, variable: string) => {
      const known = isObject(variables) ? member(variables, variable) : undefined;
      return isObject(known) ? this.add(variable, known) : raw;
    });
  }
}

const listOf = (object: JsonObject, camel: string): readonly JsonObject[] => {
  const list = either(object, camel);
  return isArray(list) ? list.filter(isObject) : [];
};

/** Positional and named arguments in order; a named one without a value is a switch. */
const argumentsOf = (list: readonly JsonObject[], asked: Asked): string[] =>
  list.flatMap((one, at): string[] => {
    const name = textOf(member(one, 'name'));
    const isNamed = member(one, 'type') === 'named' || (member(one, 'type') === undefined && name !== undefined);
    const hint = textOf(either(one, 'valueHint')) ?? `argument ${at + 1}`;
    const hasValue = ['value', 'default', 'variables', 'choices', 'format'].some((field) => member(one, field) !== undefined) || either(one, 'isSecret') === true;
    if (isNamed && name !== undefined) return hasValue ? [name, asked.text(name.replace(/^-+/, ''), one)] : [name];
    return [asked.text(hint, one)];
  });

const RUNNERS: Readonly<Record<string, { readonly command: string; readonly lead: readonly string[] }>> = {
  npm: { command: 'npx', lead: ['-y'] },
  pypi: { command: 'uvx', lead: [] },
  oci: { command: 'docker', lead: ['run', '-i', '--rm'] },
  docker: { command: 'docker', lead: ['run', '-i', '--rm'] },
  nuget: { command: 'dnx', lead: [] },
};

const READ = new Set(['registryType', 'registryName', 'identifier', 'name', 'version', 'runtimeHint', 'runtimeArguments', 'packageArguments', 'environmentVariables', 'transport', 'type', 'transportType', 'url', 'headers', 'variables']);
const unreadOf = (object: JsonObject, path: Path): Unread[] =>
  Object.entries(object).flatMap(([field, value]) => (READ.has(field.replace(/_([a-z])/g, (_all, c: string) => c.toUpperCase())) ? [] : [{ path: [...path, field], reason: whyUnread(field), value }]));

const fromPackage = (entry: JsonObject, path: Path, name: string): FoundServer => {
  const asked = new Asked();
  const kind = (textOf(either(entry, 'registryType') ?? either(entry, 'registryName')) ?? '').toLowerCase();
  const identifier = textOf(member(entry, 'identifier') ?? member(entry, 'name')) ?? '';
  const version = textOf(member(entry, 'version'));
  const runner = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind]! : null;
  const transport = member(entry, 'transport');
  const env = listOf(entry, 'environmentVariables').flatMap((one): [string, string][] => {
    const variable = textOf(member(one, 'name'));
    return variable === undefined ? [] : [[variable, asked.text(variable, one)]];
  });
  const container = runner?.command === 'docker';
  const runtime = argumentsOf(listOf(entry, 'runtimeArguments'), asked);
  const hint = textOf(either(entry, 'runtimeHint'));
  const lead = hint === undefined || hint === runner?.command ? (runner?.lead ?? []) : [];
  const pinned = version === undefined || version === '' || (container && /[:@]/.test(identifier.split('/').at(-1)!)) ? identifier : container ? `${identifier}:${version}` : `${identifier}@${version}`;
  const passed = container ? env.flatMap(([variable]) => ['-e', variable]) : [];
  const own = argumentsOf(listOf(entry, 'packageArguments'), asked);
  const remote = isObject(transport) && textOf(member(transport, 'type')) !== undefined && member(transport, 'type') !== 'stdio';
  const fault = identifier === '' ? unfit('nothing_to_start', 'it names no package', 'packages') : runner === null ? unfit('bundle', `packages of the kind ${kind === '' ? 'unknown' : kind} cannot be started from here`, 'packages') : remote ? unfit('transport', 'it starts a program that is then reached over HTTP', 'packages') : null;
  return {
    name, path, command: runner === null ? null : (hint ?? runner.command), args: [...lead, ...runtime.filter((arg) => !lead.includes(arg)), ...passed, pinned, ...(kind === 'nuget' && own.length > 0 ? ['--'] : []), ...own],
    cwd: null, url: null, env, headers: [], disabled: false, inputs: asked.inputs, unread: unreadOf(entry, path), fault,
  };
};

const fromRemote = (entry: JsonObject, path: Path, name: string): FoundServer => {
  const asked = new Asked();
  const url = textOf(member(entry, 'url'));
  const filled = url === undefined ? null : asked.text('url', { ...entry, value: url });
  const headers = listOf(entry, 'headers').flatMap((one): [string, string][] => {
    const header = textOf(member(one, 'name'));
    return header === undefined ? [] : [[header, asked.text(header, one)]];
  });
  return {
    name, path, command: null, args: [], cwd: null, url: filled, env: [], headers, disabled: false, inputs: asked.inputs, unread: unreadOf(entry, path),
    fault: filled === null ? unfit('nothing_to_start', 'it names no address', 'remotes') : null,
  };
};

/** A server.json: each package and each remote is one way to have the server, and is listed by itself. */
export const readRegistryEntry = (entry: JsonObject, path: Path): { readonly servers: readonly FoundServer[]; readonly unread: readonly Unread[] } => {
  const full = textOf(member(entry, 'name')) ?? '';
  const name = full.split('/').at(-1) ?? full;
  const packages = listOf(entry, 'packages').map((one, at) => fromPackage(one, [...path, 'packages', at], name));
  const remotes = listOf(entry, 'remotes').map((one, at) => fromRemote(one, [...path, 'remotes', at], name));
  const unread = Object.entries(entry).flatMap(([field, value]) => (['name', 'packages', 'remotes'].includes(field) ? [] : [{ path: [...path, field], reason: field === '_meta' || field === 'status' || field === 'version_detail' || field === 'websiteUrl' ? ('description' as const) : whyUnread(field), value }]));
  return { servers: [...packages, ...remotes], unread };
};
