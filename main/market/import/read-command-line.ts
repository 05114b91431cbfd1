import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { findServers } from './find-servers.ts';
import { tooLongCommand, tooManyPieces, tooManyServers } from './bounds.ts';
import type { FoundServer, FoundText, Unread } from './found-server.ts';
import { parseJson, positionOf, unreadable } from './parse-json.ts';
import { isObject, member, textOf, type JsonObject, type JsonValue } from './json-value.ts';
import { readServer } from './read-server.ts';
import { splitWords } from './split-words.ts';

/** One option of an `.. mcp add` command: how it is written, and which field of a server entry it becomes; null: it is told and left. */
interface Option {
  readonly names: readonly string[];
  readonly field: 'env' | 'header' | 'transport' | 'url' | 'bearer_token_env_var' | null;
  readonly value: boolean;
}

const option = (field: Option['field'], value: boolean, ...names: readonly string[]): Option => ({ names, field, value });
const SCOPE = option(null, true, '-s', '--scope');
const ENV = option('env', true, '-e', '--env');
const HEADER = option('header', true, '-H', '--header');
const TRANSPORT = option('transport', true, '-t', '--transport', '--type');

/** Sources: code.claude.com/docs/en/mcp; openai/codex, codex-rs/cli/src/mcp_cmd.rs; google-gemini/gemini-cli, docs/tools/mcp-server.md. */
const ADDERS: Readonly<Record<string, readonly Option[]>> = {
  claude: [SCOPE, ENV, HEADER, TRANSPORT, option(null, true, '--callback-port'), option(null, true, '--client-id'), option(null, false, '--client-secret')],
  codex: [ENV, option('url', true, '--url'), option('bearer_token_env_var', true, '--bearer-token-env-var')],
  gemini: [SCOPE, ENV, HEADER, TRANSPORT, option(null, true, '--timeout'), option(null, false, '--trust'), option(null, true, '--description'), option(null, true, '--include-tools'), option(null, true, '--exclude-tools')],
};

const PROGRAM = /^(?:.*[\\/])?(claude|codex|gemini)(?:\.cmd|\.exe)?$/i;
const EDITOR = /^(?:.*[\\/])?(code|code-insiders|codium|cursor|windsurf)(?:\.cmd|\.exe)?$/i;
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;

const pair = (text: string, between: string): readonly [string, string] | null => {
  const at = text.indexOf(between);
  return at < 1 ? null : [text.slice(0, at).trim(), text.slice(at + 1).replace(/^ +/, '')];
};

/** `claude mcp add`, `codex mcp add`, `gemini mcp add`: the entry that the command would have written. */
const readAdd = (program: string, words: readonly string[], env: readonly (readonly [string, string])[]): FoundServer => {
  const options = ADDERS[program]!;
  const object = Object.create(null) as Record<string, JsonValue>;
  const envs: Record<string, JsonValue> = Object.assign(Object.create(null) as Record<string, JsonValue>, Object.fromEntries(env));
  const headers = Object.create(null) as Record<string, JsonValue>;
  const unread: Unread[] = [];
  const rest: string[] = [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at]!;
    if (word === '--') break;
    // after the name and the command, what follows is the command's own
    if ((rest.length >= 2 && !/^https?:\/\//i.test(rest[1]!)) || !word.startsWith('-') || word === '-') {
      rest.push(word);
      continue;
    }
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const known = options.find((one) => one.names.includes(name));
    const inline = equals < 0 ? null : word.slice(equals + 1);
    const value = known?.value === true ? (inline ?? words[(at += 1)] ?? '') : (inline ?? '');
    if (known === undefined || known.field === null) unread.push({ path: [name], reason: name === '--trust' ? 'grants' : /tools/.test(name) ? 'tool_choice' : name === '--timeout' ? 'timeouts' : known === undefined ? 'unknown' : 'host_feature', value });
    else if (known.field === 'env') {
      for (let one: string | undefined = value; one !== undefined; one = ASSIGNMENT.test(words[at + 1] ?? '') ? words[(at += 1)] : undefined) {
        const found = pair(one, '=');
        if (found === null) unread.push({ path: [name], reason: 'bad_value', value: one });
        else envs[found[0]] = one.slice(one.indexOf('=') + 1);
      }
    } else if (known.field === 'header') {
      const found = pair(value, ':');
      if (found === null) unread.push({ path: [name], reason: 'bad_value', value });
      else headers[found[0]] = found[1];
    } else object[known.field === 'transport' ? 'type' : known.field] = value;
  }
  const after = words.slice(at + 1);
  const [name = '', ...own] = rest;
  const command = [...own, ...after];
  if (Object.keys(envs).length > 0) object['env'] = envs;
  if (Object.keys(headers).length > 0) object['headers'] = headers;
  const remote = /^(http|sse|streamable-http)$/.test(textOf(object['type']) ?? '') || (command.length === 1 && /^https?:\/\//i.test(command[0]!));
  if (object['url'] === undefined && command[0] !== undefined) {
    object[remote ? 'url' : 'command'] = command[0];
    if (command.length > 1) object['args'] = command.slice(1);
  }
  const read = readServer(object, { name, path: [] });
  return { ...read, unread: [...read.unread, ...unread] };
};

const readJsonWord = (word: string, name: string | null): Result<FoundText, Fault> => {
  const parsed = parseJson(word);
  if (!parsed.ok) return parsed;
  const own = isObject(parsed.value.value) ? textOf(member(parsed.value.value, 'name')) : undefined;
  return findServers(parsed.value, name === null && own === undefined ? {} : { name: name ?? own! });
};

/** `.. mcp add-json name {..}`, `code --add-mcp {..}`, `.. mcp add ..`, or any other command. */
const readWords = (words: readonly string[], env: readonly (readonly [string, string])[]): Result<FoundText, Fault> => {
  const program = PROGRAM.exec(words[0]!)?.[1]?.toLowerCase();
  if (program !== undefined && words[1] === 'mcp' && words[2] === 'add') return ok({ servers: [readAdd(program, words.slice(3), env)], unread: [] });
  if (program !== undefined && words[1] === 'mcp' && words[2] === 'add-json') {
    const rest = words.slice(3);
    const json = rest.findIndex((word) => word.trim().startsWith('{'));
    if (json < 0) return err(unreadable('the settings are expected as JSON', { line: 1, column: 1 }));
    const name = rest.slice(0, json).filter((word, at, all) => !word.startsWith('-') && !/^(-s|--scope)$/.test(all[at - 1] ?? ''))[0] ?? null;
    return readJsonWord(rest[json]!, name);
  }
  if (EDITOR.test(words[0]!)) {
    const added = words.flatMap((word, at) => (words[at - 1] === '--add-mcp' ? [word] : word.startsWith('--add-mcp=') ? [word.slice(10)] : []));
    if (added.length > 0) {
      const all: FoundText[] = [];
      for (const word of added) {
        const found = readJsonWord(word, null);
        if (!found.ok) return found;
        all.push(found.value);
      }
      return ok({ servers: all.flatMap((one) => one.servers), unread: all.flatMap((one) => one.unread) });
    }
  }
  const object: JsonObject = Object.assign(Object.create(null) as Record<string, JsonValue>, { command: words[0]!, args: words.slice(1), ...(env.length > 0 ? { env: Object.assign(Object.create(null) as Record<string, JsonValue>, Object.fromEntries(env)) } : {}) });
  return ok({ servers: [readServer(object, { name: '', path: [] })], unread: [] });
};

/** One command a line; `export A=b` and `A=b command` set variables of what follows. Errors: `import_unreadable` with line and column, `import_too_large`. */
export const readCommandLines = (text: string): Result<FoundText, Fault> => {
  const servers: FoundServer[] = [];
  const unread: Unread[] = [];
  let exported: (readonly [string, string])[] = [];
  // a line goes on where a quote is open or it ends with a continuation
  let from = 0;
  while (from < text.length) {
    let end = from;
    let split = splitWords('');
    let lines = 0;
    do {
      const next = text.indexOf('\n', end);
      end = next < 0 ? text.length : next + 1;
      split = splitWords(text.slice(from, end));
      lines += 1;
      const long = tooLongCommand(lines, end - from);
      if (long !== null) return err(long);
    } while (end < text.length && (split.openAt >= 0 || /[\\^`]\r?\n$/.test(text.slice(from, end))));
    if (split.openAt >= 0) return err(unreadable('a quote does not end', positionOf(text, from + split.openAt)));
    const start = from;
    from = end;
    let words = [...split.words];
    if (words.length === 0 || words[0]!.startsWith('#')) continue;
    if (['$', '>', '%', 'PS>'].includes(words[0]!)) words = words.slice(1);
    if (words[0] === 'export' || words[0] === 'set') {
      const assigned = words.slice(1).map((word) => ASSIGNMENT.exec(word));
      if (assigned.length > 0 && assigned.every((one) => one !== null)) {
        exported = [...exported, ...assigned.map((one) => [one![1]!, one![2]!] as const)];
        const many = tooManyPieces(exported.length);
        if (many !== null) return err(many);
        continue;
      }
    }
    const env: (readonly [string, string])[] = [...exported];
    const program = Math.max(0, words.findIndex((word, at) => at === words.length - 1 || !ASSIGNMENT.test(word)));
    for (const word of words.slice(0, program)) env.push(ASSIGNMENT.exec(word)!.slice(1, 3) as [string, string]);
    words = words.slice(program);
    if (words.length === 0) continue;
    if (/[:{}[\]"',]$|^[{[(<]/.test(words[0]!)) return err(unreadable('this is neither settings in a known shape nor a command', positionOf(text, start)));
    if (split.shell) return err(fault('import_unreadable', 'This line needs a shell: it holds a pipe, a redirection or several commands.', { field: 'text', remedy: 'Give the one command that starts the server; a shell is never used for it.', details: { ...positionOf(text, start), what: 'shell' } }));
    const found = readWords(words, env);
    if (!found.ok) return found;
    servers.push(...found.value.servers);
    unread.push(...found.value.unread);
    const many = tooManyServers(servers.length);
    if (many !== null) return err(many);
  }
  return ok({ servers, unread });
};
