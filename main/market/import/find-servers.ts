import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { MOST_SERVERS, tooManyServers } from './bounds.ts';
import type { FoundServer, FoundText, InputHint, Unread } from './found-server.ts';
import { isArray, isObject, member, scalarText, textOf, type JsonObject, type JsonValue, type ParsedText } from './json-value.ts';
import { looksLikeRegistryEntry, readRegistryEntry } from './read-registry-entry.ts';
import { looksLikeServer, readServer, unfit } from './read-server.ts';

type Path = readonly (string | number)[];

export interface FindOptions {
  /** a program's whole settings file: what lies beside its MCP part is its own business and is not listed */
  readonly wholeSettings?: boolean;
  /** this program fills in a bare `$NAME` too */
  readonly dollar?: boolean;
  /** for a single entry without a name */
  readonly name?: string;
}

/** Where maps of servers lie, by the program that writes them. Sources: docs/spec/import.md, "Formats". */
const MAPS: readonly Path[] = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['mcp', 'mcpServers'], ['mcp.servers'], ['context_servers'], ['mcp_servers'], ['mcp'], ['extensions']];
/** Parts of a settings file that have to do with MCP and hold no server. */
const BESIDE = /mcp|context_server|^inputs$/i;

const at = (value: JsonValue, path: Path): JsonValue | undefined => path.reduce<JsonValue | undefined>((one, key) => (isObject(one) ? member(one, String(key)) : undefined), value);

/** VS Code: `inputs` beside the map. Source: code.visualstudio.com/docs/copilot/reference/mcp-configuration. */
const inputsOf = (parent: JsonValue | undefined): ReadonlyMap<string, InputHint> => {
  const list = isObject(parent) ? member(parent, 'inputs') : undefined;
  const hints = new Map<string, InputHint>();
  for (const one of isArray(list) ? list : []) {
    const id = isObject(one) ? textOf(member(one, 'id')) : undefined;
    if (!isObject(one) || id === undefined) continue;
    const options = member(one, 'options');
    hints.set(id, {
      description: textOf(member(one, 'description')) ?? '',
      secret: member(one, 'password') === true,
      default: scalarText(member(one, 'default')) ?? null,
      choices: isArray(options) ? options.flatMap((option) => scalarText(option) ?? scalarText(isObject(option) ? member(option, 'value') : undefined) ?? []) : [],
      required: true,
    });
  }
  return hints;
};

/** Entries of a map or list of servers; what is none of them is told. */
const readMap = (map: JsonValue, path: Path, inputs: ReadonlyMap<string, InputHint>, options: FindOptions): FoundText => {
  const servers: FoundServer[] = [];
  const unread: Unread[] = [];
  const all: [string | null, string | number, JsonValue][] = isArray(map) ? map.map((one, index) => [null, index, one]) : isObject(map) ? Object.entries(map).map(([name, one]) => [name, name, one]) : [];
  // what is refused anyway is not read first
  for (const [name, key, one] of all.slice(0, MOST_SERVERS + 1)) {
    const here = [...path, key];
    const wrapped = isObject(one) ? member(one, 'server') : undefined;
    if (looksLikeRegistryEntry(wrapped) || looksLikeRegistryEntry(one)) {
      const found = readRegistryEntry((looksLikeRegistryEntry(wrapped) ? wrapped : one) as JsonObject, looksLikeRegistryEntry(wrapped) ? [...here, 'server'] : here);
      servers.push(...found.servers);
      unread.push(...found.unread);
    } else if (isObject(one)) servers.push(readServer(one, { name, path: here, inputs, ...(options.dollar ? { dollar: true } : {}) }));
    else unread.push({ path: here, reason: 'bad_value', value: one });
  }
  return { servers, unread };
};

/** An MCP bundle's manifest: how it starts is in `server.mcp_config`; its files are not here. Source: @anthropic-ai/mcpb, manifest schema. */
const readBundle = (root: JsonObject): FoundServer | null => {
  const server = member(root, 'server');
  const config = isObject(server) ? member(server, 'mcp_config') : undefined;
  if (!looksLikeServer(config)) return null;
  return { ...readServer(config, { name: textOf(member(root, 'name')) ?? null, path: ['server', 'mcp_config'] }), fault: unfit('bundle', 'this is the manifest of a bundle, whose files are not here', 'server') };
};

/** Claude Code keeps servers of one project beneath that project's folder. Source: code.claude.com/docs/en/mcp. */
const projectMaps = (root: JsonObject): Path[] => {
  const projects = member(root, 'projects');
  return isObject(projects) ? Object.entries(projects).flatMap(([folder, project]) => (isObject(project) && isObject(member(project, 'mcpServers')) ? [['projects', folder, 'mcpServers']] : [])) : [];
};

const isMapOfServers = (value: JsonValue | undefined): boolean => (isObject(value) && Object.values(value).some(looksLikeServer)) || (isArray(value) && value.some((one) => looksLikeServer(one) || looksLikeRegistryEntry(one) || (isObject(one) && looksLikeRegistryEntry(member(one, 'server')))));

const SHAPES = 'Known shapes: {"mcpServers": {"name": {"command": "...", "args": [...]}}}, {"servers": {...}}, a single {"command": ...} or {"url": ...}, a server.json, an install link, a command line, an address.';

const noServers = (value: JsonValue): Fault =>
  fault('import_no_servers', `No server was found in this. ${SHAPES}`, { field: 'text', remedy: 'Give it in one of these shapes.', details: { found: isObject(value) ? Object.keys(value).slice(0, 12).map((key) => key.slice(0, 60)) : [isArray(value) ? 'list' : typeof value] } });

const beside = (root: JsonObject, taken: ReadonlySet<string>, options: FindOptions): Unread[] =>
  Object.entries(root).flatMap(([field, value]): Unread[] => {
    if (taken.has(field) || (options.wholeSettings === true && !BESIDE.test(field))) return [];
    return [{ path: [field], reason: 'other_setting', value }];
  });

const whole = (value: JsonValue, options: FindOptions): FoundText | null => {
  if (isArray(value)) return isMapOfServers(value) ? readMap(value, [], new Map(), options) : null;
  if (!isObject(value)) return null;
  if (looksLikeRegistryEntry(value)) return readRegistryEntry(value, []);
  const wrapped = member(value, 'server');
  if (looksLikeRegistryEntry(wrapped)) {
    const found = readRegistryEntry(wrapped, ['server']);
    return { servers: found.servers, unread: [...found.unread, ...beside(value, new Set(['server']), options)] };
  }
  const bundle = readBundle(value);
  if (bundle !== null) return { servers: [bundle], unread: beside(value, new Set(['server', 'name']), options) };
  const prefixed = Object.keys(value).filter((name) => /.\.mcpServers$/.test(name)).map((name): Path => [name]);
  const maps = [...MAPS, ...prefixed, ...projectMaps(value)].filter((path) => {
    const map = at(value, path);
    // a key of the map's own name may also be a server ("servers", "mcp"): then it is one of a bare map
    if (looksLikeServer(map)) return false;
    if (path.length === 1 && (path[0] === 'mcp' || path[0] === 'extensions')) return isMapOfServers(map);
    return isObject(map) || isArray(map);
  });
  const found = maps.map((path) => readMap(at(value, path)!, path, inputsOf(at(value, path.slice(0, -1))) , options));
  if (found.some((one) => one.servers.length > 0)) {
    const tops = new Set(maps.map((path) => String(path[0])));
    const hinted = maps.some((path) => path.length === 1) ? ['inputs'] : [];
    const inner = maps.flatMap((path): Unread[] => {
      const parent = path.length === 2 && path[0] === 'mcp' ? at(value, ['mcp']) : undefined;
      return isObject(parent) ? Object.entries(parent).flatMap(([field, one]) => (field === path[1] || field === 'inputs' ? [] : [{ path: ['mcp', field], reason: 'other_setting' as const, value: one }])) : [];
    });
    return { servers: found.flatMap((one) => one.servers), unread: [...found.flatMap((one) => one.unread), ...inner, ...beside(value, new Set([...tops, ...hinted]), options)] };
  }
  if (options.wholeSettings === true) return { servers: [], unread: [] };
  if (looksLikeServer(value)) return { servers: [readServer(value, { name: options.name ?? null, path: [], inputs: inputsOf(value) })].map((one) => ({ ...one, unread: one.unread.filter((field) => field.path[0] !== 'inputs') })), unread: [] };
  if (isMapOfServers(value)) return readMap(value, [], new Map(), options);
  // a map that is there and empty says that there is none; anything else is not understood
  return maps.length > 0 ? { servers: [], unread: [] } : null;
};

/** All servers of a parsed text, whatever program's shape it has. Errors: `import_no_servers` with what stands at its top, `import_too_large`. */
export const findServers = (parsed: ParsedText, options: FindOptions = {}): Result<FoundText, Fault> => {
  const found = whole(parsed.value, options);
  if (found === null || (found.servers.length === 0 && options.wholeSettings !== true)) return err(noServers(parsed.value));
  const many = tooManyServers(found.servers.length);
  if (many !== null) return err(many);
  const own = (path: Path): boolean => found.servers.some((server) => server.path.every((key, index) => path[index] === key) && path.length > server.path.length);
  const duplicates = parsed.duplicates.map((one): Unread => ({ path: one.path, reason: 'duplicate', value: one.value }));
  return ok({
    servers: found.servers.map((server) => ({ ...server, unread: [...server.unread, ...duplicates.filter((one) => server.path.length > 0 && one.path.length > server.path.length && server.path.every((key, index) => one.path[index] === key))] })),
    unread: [...found.unread, ...duplicates.filter((one) => !own(one.path) || found.servers.some((server) => server.path.length === 0))],
  });
};
