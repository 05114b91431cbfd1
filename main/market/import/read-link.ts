import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { findServers } from './find-servers.ts';
import type { FoundServer, FoundText, Unread } from './found-server.ts';
import { isObject, member, textOf } from './json-value.ts';
import { parseJson, unreadable } from './parse-json.ts';
import { programOf } from './read-launcher.ts';
import { readServer, unfit } from './read-server.ts';
import { handsLineToShell } from './shell-line.ts';

/** A link holds one server. */
export const LINK_LIMIT_BYTES = 32 * 1024;

const asUrl = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Base64, as Cursor and LM Studio put it into links (either alphabet, with or without padding), or JSON itself. Null where it is neither. */
const jsonOf = (text: string): string | null => {
  const plain = decoded(text).trim();
  if (plain.startsWith('{') || plain.startsWith('[')) return plain;
  // a `+` of base64 that a form reader has made a space
  const base64 = decoded(text.replaceAll('+', '%2B')).replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const json = Buffer.from(base64, 'base64').toString('utf8').trim();
  return json.startsWith('{') || json.startsWith('[') ? json : null;
};

const QUERY = /[?&]([^=&]+)=([^&#]*)/g;
const query = (text: string): Map<string, string> => new Map([...text.matchAll(QUERY)].map((match) => [decoded(match[1]!), match[2]!]));

/** `goose://extension?cmd=npx&arg=-y&arg=..`. Source: block/goose, ui/desktop, extension deep links. */
const fromGoose = (text: string): FoundServer | null => {
  const all = [...text.matchAll(QUERY)].map((match) => [decoded(match[1]!), decoded(match[2]!.replaceAll('+', ' '))] as const);
  const one = (name: string): string | undefined => all.find(([key]) => key === name)?.[1];
  const command = one('cmd');
  const url = one('url');
  if (command === undefined && url === undefined) return null;
  const env = all.filter(([key]) => key === 'env').map(([, value]) => ({ name: value.split('=')[0]!, secret: true }));
  const object = Object.assign(Object.create(null) as Record<string, never>, {
    ...(url === undefined ? { command, args: all.filter(([key]) => key === 'arg').map(([, value]) => value) } : { url }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env.map(({ name }) => [name, `\${input:${name}}`])) }),
    ...Object.fromEntries(all.filter(([key]) => !['cmd', 'arg', 'url', 'env', 'name', 'id'].includes(key))),
  });
  const inputs = new Map(env.map(({ name }) => [name, { description: '', secret: true, default: null, choices: [], required: true }]));
  return readServer(object, { name: one('name') ?? one('id') ?? '', path: [], inputs });
};

/** What a link's other parameters say is told, not taken. */
const othersOf = (parameters: ReadonlyMap<string, string>, taken: readonly string[]): Unread[] => [...parameters].filter(([name]) => !taken.includes(name)).map(([name, value]) => ({ path: [`?${name}`], reason: 'host_feature' as const, value: decoded(value) }));

const guarded = (found: FoundText): FoundText => ({
  ...found,
  servers: found.servers.map((server) => {
    const command = server.command ?? '';
    // `cmd /c program ..` is there only so that Windows finds a batch file: what follows it is judged
    const batch = programOf(command) === 'cmd' && /^\/c$/i.test(server.args[0] ?? '') && server.args.length > 2 && !server.args.some((arg) => /[&|<>^%]/.test(arg));
    const line = batch ? handsLineToShell(server.args[1]!, server.args.slice(2)) : handsLineToShell(command, server.args);
    if (!line || server.fault !== null) return server;
    return { ...server, fault: unfit('shell_from_link', 'a link may not bring a command line for a shell', 'command') };
  }),
});

/**
 * An install link: `vscode:mcp/install?{json}`, `cursor://anysphere.cursor-deeplink/mcp/install?name=&config=`, `lmstudio://add_mcp?..`, their web forms, and any other
 * scheme with `name` and `config`. Null where the text is no such link. Errors: import_too_large, import_unreadable, import_no_servers.
 */
export const readLink = (text: string): Result<FoundText, Fault> | null => {
  const trimmed = text.trim();
  if (/\s/.test(trimmed) || !/^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(trimmed) || /^[a-z]:[\\/]/i.test(trimmed)) return null;
  const scheme = trimmed.slice(0, trimmed.indexOf(':')).toLowerCase();
  const mark = trimmed.indexOf('?');
  const parameters = query(trimmed);
  const redirect = parameters.get('url');
  // https://insiders.vscode.dev/redirect?url=vscode%3Amcp%2Finstall%3F...
  if (/^https?$/.test(scheme) && redirect !== undefined && /^https?:\/\/[^/]*vscode\.dev\/redirect/i.test(trimmed)) return readLink(decoded(redirect));
  const isWeb = /^https?$/.test(scheme);
  const web = isWeb && /(install[-_/]?mcp|mcp\/install)/i.test(trimmed.slice(0, mark < 0 ? undefined : mark));
  if (isWeb && (!web || mark < 0)) return null;
  if (Buffer.byteLength(trimmed) > LINK_LIMIT_BYTES) return err(fault('import_too_large', 'This link is longer than an install link may be.', { field: 'text', remedy: 'Ask its author for the settings as text.', details: { limitBytes: LINK_LIMIT_BYTES } }));
  if (scheme === 'goose') {
    const server = fromGoose(trimmed);
    return server === null ? err(unreadable('this link names neither a command nor an address', { line: 1, column: 1 })) : ok(guarded({ servers: [server], unread: [] }));
  }
  const config = parameters.get('config');
  const body = config === undefined ? (mark < 0 ? null : jsonOf(trimmed.slice(mark + 1))) : jsonOf(config);
  if (body === null) return err(unreadable('this is no install link that Gantry can read', { line: 1, column: Math.max(1, mark + 2) }));
  const parsed = parseJson(body);
  if (!parsed.ok) return err({ ...parsed.error, message: `Inside the link: ${parsed.error.message}` });
  const inner = isObject(parsed.value.value) ? textOf(member(parsed.value.value, 'name')) : undefined;
  const name = parameters.has('name') ? decoded(parameters.get('name')!.replaceAll('+', ' ')) : inner;
  const found = findServers(parsed.value, name === undefined ? {} : { name });
  if (!found.ok) return found;
  const rest = config === undefined ? [] : othersOf(parameters, ['name', 'config']);
  const inputs = parameters.get('inputs');
  const hinted = inputs === undefined ? found : withInputs(parsed.value.value, inputs, name);
  const value = hinted.ok ? hinted.value : found.value;
  return ok(guarded({ servers: value.servers, unread: [...value.unread, ...rest.filter((one) => one.path[0] !== '?inputs')] }));
};

/** VS Code's web links carry `inputs` beside `config`. */
const withInputs = (config: unknown, inputs: string, name: string | undefined): Result<FoundText, Fault> => {
  const json = jsonOf(inputs);
  const parsed = json === null ? null : parseJson(`{"servers":${JSON.stringify({ [name ?? '']: config })},"inputs":${json}}`);
  return parsed === null || !parsed.ok ? err(unreadable('its inputs cannot be read', { line: 1, column: 1 })) : findServers(parsed.value);
};

/** An address by itself: a server that is reached there. Null where the text is none. */
export const readAddress = (text: string): FoundText | null => {
  const trimmed = text.trim();
  if (/\s/.test(trimmed) || !/^https?:\/\//i.test(trimmed)) return null;
  const url = asUrl(trimmed.replace(/\$\{[^}]*\}/g, 'x'));
  if (url === null) return null;
  return { servers: [{ ...readServer(Object.assign(Object.create(null) as Record<string, string>, { url: trimmed }), { name: '', path: [] }) }], unread: [] };
};
