import { fillTemplate, holesOf, templateParts } from '../../../shared/placeholders.ts';
import type { ImportLaunch, SecretReason } from '../../../shared/import.ts';
import { isDangerousName } from '../../servers/launch-environment.ts';
import type { FoundServer, Unread } from './found-server.ts';
import { isSecretName, isSecretShape, judgeArgument, judgeHeader, judgeVariable } from './judge-value.ts';
import { askFor, isAutomatic, type HoleContext, type RawAsk } from './placeholder-kinds.ts';
import { nameFor, readLauncher, type ReadLauncher } from './read-launcher.ts';
import { unfit } from './read-server.ts';
import { isWebAddress, secretPartsOf, userInfoOf } from './url-parts.ts';

/** One value as the source has it, with how it is judged; `text` follows `prefix`. */
export interface RawValue {
  readonly place: string;
  readonly prefix: string;
  readonly text: string;
  readonly why: SecretReason;
  /** the name of its variable or header, or of its address part */
  readonly name: string;
}

/** A server ready to be shown and decided upon: all that is derived from the source, and nothing of this computer but its variables' presence. */
export interface Prepared {
  readonly found: FoundServer;
  readonly name: string;
  readonly read: ReadLauncher;
  readonly values: readonly RawValue[];
  readonly asks: readonly RawAsk[];
  readonly launches: readonly ImportLaunch[];
  readonly dangerous: readonly string[];
  readonly unread: readonly Unread[];
  readonly fault: FoundServer['fault'];
  /** the address with its user part taken off */
  readonly url: string | null;
}

/** Text that stands for a value somebody has to fill in becomes a placeholder; what it was is kept in its name. */
const BLANK = /<([A-Za-z][\w ./-]{1,60})>/g;
const WHOLE_BLANK = /^(?:(?:YOUR|MY|INSERT|REPLACE|ENTER|PASTE)[-_ ][\w -]{2,60}|x{4,}|\*{3,}|change[-_ ]?me|replace[-_ ]?me)$/i;
const withBlanks = (text: string): string => {
  if (text.includes('${')) return text;
  if (WHOLE_BLANK.test(text.trim())) return `\${blank:${text}}`;
  return /^(?:(?:Bearer|Basic|Token) +)?<[A-Za-z][\w ./-]{1,60}>$/i.test(text.trim()) || /<(?:your|my|insert|replace|enter)\b/i.test(text) ? text.replace(BLANK, (raw) => `\${blank:${raw}}`) : text;
};

/** The written parts of a text, what stands in for a missing variable too, without its placeholders. */
const literalsOf = (text: string): string[] => templateParts(text).flatMap((part) => (typeof part === 'string' ? [part] : part.otherwise === null ? [] : literalsOf(part.otherwise)));
/** A text with placeholders is itself no secret; one written out in it, or beside a secret's name as what stands in for it, makes it one. */
const judge = (text: string, whole: () => SecretReason): SecretReason => {
  if (holesOf(text).length === 0) return whole();
  if (literalsOf(text).some(isSecretShape) || isSecretShape(literalsOf(text).join(''))) return 'shape';
  return templateParts(text).some((part) => typeof part !== 'string' && (part.otherwise ?? '').length > 3 && isSecretName(part.name)) ? 'name' : 'plain';
};

const argumentValues = (args: readonly string[], kind: 'arg' | 'written'): RawValue[] =>
  args.map((arg, at) => {
    const text = withBlanks(arg);
    const judged = judgeArgument(text, args[at - 1]);
    const secret = judge(text, () => judged.why);
    const prefix = secret === 'plain' || holesOf(text).length > 0 ? '' : judged.prefix;
    return { place: `${kind}.${at + 1}`, prefix, text: text.slice(prefix.length), why: secret, name: args[at - 1] ?? '' };
  });

/** Names that a system cannot have are left out and told. */
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_.()-]{0,254}$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;

const launchesOf = (found: FoundServer, read: ReadLauncher, url: string | null): ImportLaunch[] => {
  if (found.fault !== null) return [];
  if (url !== null) return [{ as: 'http', url }];
  const places = (kind: 'arg' | 'written', count: number, from = 0): string[] => Array.from({ length: count - from }, (_, at) => `${kind}.${from + at + 1}`);
  const launches: ImportLaunch[] = [];
  if (read.npm !== null && read.npm.package !== 'mcp-remote') launches.push({ as: 'npm', package: read.npm.package, version: read.npm.version, args: places('arg', read.args.length, read.npm.from) });
  launches.push({ as: 'command', command: read.command, args: places('arg', read.args.length), cwd: found.cwd });
  if (read.split || read.unwrapped) launches.push({ as: 'written', command: found.command!, args: places('written', found.args.length), cwd: found.cwd });
  return launches;
};

/** Who asks for which placeholder, and where it stands. */
const asksOf = (found: FoundServer, values: readonly RawValue[], hostEnv: HoleContext['hostEnv']): RawAsk[] => {
  const own = new Set(found.env.map(([name]) => name));
  const asks = new Map<string, RawAsk>();
  for (const value of values) {
    for (const part of templateParts(value.prefix + value.text).flatMap((one) => (typeof one === 'string' ? [] : [one]))) {
      for (const name of [part.name, ...(part.otherwise === null ? [] : holesOf(part.otherwise))]) {
        if (isAutomatic(name)) continue;
        // a program that is given X reads X itself; only the value of X may name another X
        if (own.has(name) && !value.place.startsWith('env.')) continue;
        const before = asks.get(name);
        const ask = before ?? askFor(name, { inputs: found.inputs, hostEnv });
        if (ask === null) continue;
        const secretPlace = (value.place.startsWith('env.') || value.place.startsWith('arg.') || value.place.startsWith('written.')) ? isSecretName(value.name) : value.place.startsWith('header.') ? judgeHeader(value.name, 'credential') === 'header' : false;
        const otherwise = part.name === name ? part.otherwise : null;
        asks.set(name, {
          ...ask,
          secret: ask.secret || secretPlace,
          default: ask.default ?? otherwise,
          fixed: ask.fixed || value.place === 'command' || value.place === 'cwd' || (value.place === 'url' && holesOf(value.text.split(/[/?#]/, 3).join('/')).includes(name)),
          places: ask.places.includes(value.place) ? ask.places : [...ask.places, value.place],
        });
      }
    }
  }
  return [...asks.values()];
};

/** Takes the user part of an address as the header it stands for (RFC 7617): an address is stored and shown, a header is sealed. */
const withoutUserInfo = (url: string): { readonly url: string; readonly header: readonly [string, string] | null } => {
  const info = userInfoOf(url);
  if (info === null) return { url, header: null };
  let plain = info.text;
  try {
    plain = decodeURIComponent(info.text);
  } catch {
    // as it is written
  }
  return { url: url.slice(0, info.start) + url.slice(info.end), header: ['Authorization', `Basic ${Buffer.from(plain.includes(':') ? plain : `${plain}:`).toString('base64')}`] };
};

export const prepareServer = (given: FoundServer, hostEnv: HoleContext['hostEnv']): Prepared => {
  const read = readLauncher(given);
  const bare = given.url === null ? null : withoutUserInfo(given.url.trim());
  const unread: Unread[] = [...given.unread];
  const fits = (pairs: readonly (readonly [string, string])[], grammar: RegExp, bad: RegExp, field: string): (readonly [string, string])[] =>
    pairs.filter(([name, text]) => {
      if (grammar.test(name) && !bad.test(text)) return true;
      unread.push({ path: [...given.path, field, name], reason: grammar.test(name) ? 'bad_value' : 'bad_name', value: text });
      return false;
    });
  const headers = fits([...given.headers, ...(bare?.header && !given.headers.some(([name]) => name.toLowerCase() === 'authorization') ? [bare.header] : [])], HEADER_NAME, /[\0\r\n]/, 'headers');
  const env = fits([...given.env.filter(([name]) => !read.env.some(([other]) => other === name)), ...read.env], ENV_NAME, /\0/, 'env');
  const url = bare?.url ?? null;
  const fault =
    given.fault ??
    (url !== null && !isWebAddress(url) ? unfit('address', 'only http and https addresses can be connected to', 'url') : null) ??
    ([given.command ?? '', given.cwd ?? '', ...given.args].some((text) => text.includes('\0')) ? unfit('argument', 'a NUL character cannot be passed to a program', 'args') : null);
  const found: FoundServer = { ...given, env, headers, url, fault };
  const values: RawValue[] = [
    ...(read.remote === null ? [] : remoteValues(read.remote)),
    ...(found.command === null ? [] : [{ place: 'command', prefix: '', text: read.command, why: 'plain' as const, name: '' }]),
    ...(found.cwd === null ? [] : [{ place: 'cwd', prefix: '', text: found.cwd, why: 'plain' as const, name: '' }]),
    ...(url === null ? [] : [{ place: 'url', prefix: '', text: url, why: 'plain' as const, name: '' }, ...secretPartsOf(url).map((part): RawValue => ({ place: part.place, prefix: '', text: url.slice(part.start, part.end), why: 'address', name: part.name }))]),
    ...(found.command === null ? [] : argumentValues(read.args, 'arg')),
    ...(found.command !== null && (read.split || read.unwrapped) ? argumentValues(found.args, 'written') : []),
    ...env.map(([name, raw]): RawValue => {
      const text = withBlanks(raw);
      return { place: `env.${name}`, prefix: '', text, why: judge(text, () => judgeVariable(name, text)), name };
    }),
    ...headers.map(([name, raw]): RawValue => {
      const text = withBlanks(raw);
      return { place: `header.${name}`, prefix: '', text, why: judge(text, () => judgeHeader(name, text)), name };
    }),
  ];
  const launches = launchesOf(found, read, url);
  if (read.remote !== null && fault === null) launches.unshift({ as: 'http', url: read.remote.url });
  return {
    found,
    read,
    name: found.name.trim() === '' ? nameFor(found, read) : found.name.trim().slice(0, 80),
    values,
    asks: asksOf(found, values, hostEnv),
    launches: fault === null ? launches : [],
    dangerous: env.map(([name]) => name).filter(isDangerousName),
    unread,
    fault,
    url: url ?? read.remote?.url ?? null,
  };
};

/** What mcp-remote would send, when Gantry connects instead of it. */
const remoteValues = (remote: NonNullable<ReadLauncher['remote']>): RawValue[] => [
  { place: 'url', prefix: '', text: remote.url, why: 'plain', name: '' },
  ...secretPartsOf(remote.url).map((part): RawValue => ({ place: part.place, prefix: '', text: remote.url.slice(part.start, part.end), why: 'address', name: part.name })),
  ...remote.headers.map(([name, text]): RawValue => ({ place: `header.${name}`, prefix: '', text, why: judge(text, () => judgeHeader(name, text)), name })),
];

/** Two servers are one when everything that would come over is the same. */
export const identityOf = ({ found }: Prepared): string => JSON.stringify([found.command, found.args, found.cwd, found.url, [...found.env].sort(), [...found.headers].sort(), found.fault?.code ?? null, found.fault === null ? null : found.name]);

/** A text with what is known without asking filled in: the home folder, the path separator. */
export const withAutomatic = (text: string, automatic: (name: string) => string | null): string => {
  const filled = fillTemplate(text, (name) => automatic(name));
  return 'text' in filled && holesOf(text).some((name) => automatic(name) !== null) ? filled.text : text;
};
