import type { SecretReason } from '../../../shared/import.ts';
import { CREDENTIAL_PATTERNS, maskPrivateKeys } from '../../evidence/credential-patterns.ts';

const SECRET_WORDS = new Set(['key', 'keys', 'apikey', 'token', 'secret', 'secrets', 'password', 'passwd', 'pwd', 'passphrase', 'pass', 'credential', 'credentials', 'creds', 'pat', 'authorization', 'auth', 'cookie', 'jwt', 'bearer', 'dsn', 'sas', 'otp', 'license', 'signature', 'sig', 'session', 'webhook', 'connectionstring']);
/** What a name says that its value is a fact about a secret, and not the secret. */
const ABOUT = new Set(['path', 'file', 'dir', 'directory', 'folder', 'url', 'uri', 'host', 'endpoint', 'limit', 'limits', 'count', 'max', 'min', 'ttl', 'timeout', 'mode', 'type', 'method', 'scheme', 'provider', 'name', 'header', 'budget', 'size', 'length', 'format', 'enabled', 'disabled', 'expiry', 'prefix', 'public', 'id', 'algorithm', 'env', 'var', 'required']);

const wordsOf = (name: string): string[] => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/).filter((word) => word !== '').map((word) => word.toLowerCase());

/** `GH_PAT`, `apiKey`, `--auth-token`, `password`; not `TOKEN_LIMIT`, `KEY_FILE`, `MAX_TOKENS`. Where unsure, a secret. */
export const isSecretName = (name: string): boolean => {
  const words = wordsOf(name);
  const glued = words.some((word) => /(apikey|accesskey|secretkey|authtoken|accesstoken|apitoken|password|passwd|secret|token)$/.test(word) || /^(secret|password)/.test(word));
  if (!glued && !words.some((word) => SECRET_WORDS.has(word))) return /connection[_-]?string/i.test(name);
  return !ABOUT.has(words.at(-1)!) && words[0] !== 'max' && words[0] !== 'public' && words[0] !== 'min';
};

/** Bits a character, over the characters of the text. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
};

/** Random looking: long, letters and digits mixed, no word-like or path-like structure. */
const looksRandom = (text: string): boolean => {
  if (text.length < 20 || text.length > 4096 || !/^[A-Za-z0-9_\-+/=.~:]+$/.test(text)) return false;
  if (/^[@./~]|^[a-z]+:\/\/|^[A-Za-z]:[\\/]|\.(js|ts|mjs|cjs|py|json|toml|ya?ml|sh|exe|jar|sqlite|db|com|org|net|io|dev|ai|app)(:\d+)?$/i.test(text)) return false;
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) return true;
  if (/^(sha256|sha512):/i.test(text) || /^\d{1,3}(\.\d+)+$/.test(text)) return false;
  const longest = Math.max(...text.split(/[-_./:+=~]/).map((part) => part.length));
  return longest >= 16 && /\d/.test(text) && /[A-Za-z]/.test(text) && entropy(text) > 3.3;
};

/** A text with the shape of a credential: known prefixes, a password in an address, a private key, a random string. */
export const isSecretShape = (text: string): boolean =>
  maskPrivateKeys(text, '').count > 0 || CREDENTIAL_PATTERNS.some(({ expression }) => new RegExp(expression.source, expression.flags.replace('g', '')).test(text)) || looksRandom(text.replace(/^(Bearer|Basic|Token)\s+/i, '').trim());

/** An address with a secret in its path or query, where it is a value or an argument. */
const isSecretAddress = (text: string): boolean => {
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*([^\s]*)$/i.exec(text)?.[1];
  if (rest === undefined) return false;
  const [path = '', query = ''] = rest.split('?', 2);
  return path.split('/').some(looksRandom) || query.split(/[&#]/).some((piece) => {
    const at = piece.indexOf('=');
    return at > 0 && at < piece.length - 1 && (isSecretName(piece.slice(0, at)) || looksRandom(piece.slice(at + 1)));
  });
};

/** JSON as a value, as some servers take their headers: a secret name inside makes it one. */
const holdsSecretField = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text)) return false;
  return [...text.matchAll(/"((?:[^"\\]|\\.){1,80})"\s*:\s*"((?:[^"\\]|\\.){4,})"/g)].some((match) => isSecretName(match[1]!));
};

/** Values that keep nothing from anybody whatever their name says. */
const isTrivial = (text: string): boolean => text.trim().length < 3 || /^(true|false|yes|no|on|off|none|null|auto|\d{1,5})$/i.test(text.trim());

/** Names of headers that carry no credential. */
const PUBLIC_HEADERS = new Set(['accept', 'accept-encoding', 'accept-language', 'cache-control', 'connection', 'content-type', 'content-length', 'mcp-protocol-version', 'origin', 'referer', 'user-agent']);

/** Whether a value of an environment variable counts as a secret. */
export const judgeVariable = (name: string, text: string): SecretReason => (isTrivial(text) ? 'plain' : isSecretName(name) ? 'name' : isSecretShape(text) || isSecretAddress(text) || holdsSecretField(text) ? 'shape' : 'plain');

/** Header values do, unless the header is one that never carries a credential: their names say little. */
export const judgeHeader = (name: string, text: string): SecretReason => {
  if (PUBLIC_HEADERS.has(name.toLowerCase())) return isSecretShape(text) ? 'shape' : 'plain';
  return isTrivial(text) ? 'plain' : 'header';
};

/** An argument in two parts: what stays readable (`--token=`, `Authorization: `, `API_KEY=`), and the rest that is judged. */
export const judgeArgument = (arg: string, before: string | undefined): { readonly prefix: string; readonly why: SecretReason } => {
  const assigned = /^(--?[A-Za-z][\w.-]*=)([\s\S]+)$/.exec(arg);
  if (assigned !== null) {
    const [, prefix, rest] = assigned;
    const why = judgeVariable(prefix!.slice(0, -1), rest!);
    return { prefix: why === 'plain' ? '' : prefix!, why: why === 'name' ? 'flag' : why };
  }
  const isHeader = /^(-H|--headers?)$/.test(before ?? '');
  const header = isHeader ? /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+:\s*)([\s\S]+)$/.exec(arg) : null;
  if (header !== null) {
    const why = judgeHeader(header[1]!.replace(/:\s*$/, ''), header[2]!);
    return { prefix: why === 'plain' ? '' : header[1]!, why };
  }
  const variable = /^(-e|--env)$/.test(before ?? '') ? /^([A-Za-z_][A-Za-z0-9_]*=)([\s\S]+)$/.exec(arg) : null;
  if (variable !== null) {
    const why = judgeVariable(variable[1]!.slice(0, -1), variable[2]!);
    return { prefix: why === 'plain' ? '' : variable[1]!, why };
  }
  if (arg.startsWith('-')) return { prefix: '', why: isSecretShape(arg) ? 'shape' : 'plain' };
  if (/^--?[A-Za-z][\w.-]*$/.test(before ?? '') && !/^(-e|--env)$/.test(before!) && !isTrivial(arg) && isSecretName(before!)) return { prefix: '', why: 'flag' };
  return { prefix: '', why: isSecretShape(arg) || isSecretAddress(arg) || holdsSecretField(arg) ? 'shape' : 'plain' };
};

/** What is shown of a secret: its scheme and, of a long one, its first characters. */
export const masked = (text: string): string => {
  const scheme = /^(Bearer|Basic|Token) +/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  return `${scheme}${rest.length >= 24 && !/^[{["]/.test(rest) ? [...rest].slice(0, 3).join('') : ''}••••`;
};
