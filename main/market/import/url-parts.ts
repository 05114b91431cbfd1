import { isSecretName, isSecretShape } from './judge-value.ts';

/** One part of an address that may be a secret, as it is written there; offsets into the address. */
export interface UrlPart {
  readonly place: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Where the path begins: after scheme and host. */
const afterOrigin = (url: string): number => {
  const at = url.indexOf('://');
  const rest = at < 0 ? -1 : url.slice(at + 3).search(/[/?#]/);
  return rest < 0 ? url.length : at + 3 + rest;
};

/** `user:password@` of an address, or null. */
export const userInfoOf = (url: string): { readonly start: number; readonly end: number; readonly text: string } | null => {
  const at = url.indexOf('://');
  const sign = url.slice(0, afterOrigin(url)).lastIndexOf('@');
  return at < 0 || sign < at ? null : { start: at + 3, end: sign + 1, text: url.slice(at + 3, sign) };
};

/** The parts of path and query of an address that count as secrets by their name or shape (C109). Placeholders are left alone. */
export const secretPartsOf = (url: string): readonly UrlPart[] => {
  const parts: UrlPart[] = [];
  const start = afterOrigin(url);
  const hash = url.indexOf('#', start);
  const end = hash < 0 ? url.length : hash;
  const mark = url.slice(start, end).indexOf('?');
  const pathEnd = mark < 0 ? end : start + mark;
  let at = start;
  for (const [index, segment] of url.slice(start, pathEnd).split('/').entries()) {
    if (!segment.includes('${') && isSecretShape(decoded(segment))) parts.push({ place: `url.path.${index}`, name: String(index), start: at, end: at + segment.length });
    at += segment.length + 1;
  }
  at = pathEnd + 1;
  const seen = new Map<string, number>();
  for (const piece of mark < 0 ? [] : url.slice(pathEnd + 1, end).split('&')) {
    const equals = piece.indexOf('=');
    const name = decoded(equals < 0 ? piece : piece.slice(0, equals));
    const value = equals < 0 ? '' : piece.slice(equals + 1);
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    if (value !== '' && !value.includes('${') && (isSecretName(name) || isSecretShape(decoded(value)))) parts.push({ place: `url.query.${name}${n === 1 ? '' : `.${n}`}`, name, start: at + equals + 1, end: at + piece.length });
    at += piece.length + 1;
  }
  return parts;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Whether an address, its placeholders aside, is one of http or https. */
export const isWebAddress = (url: string): boolean => {
  try {
    return /^https?:$/.test(new URL(url.replace(/\$\{[^}]*\}/g, 'x')).protocol);
  } catch {
    return false;
  }
};
