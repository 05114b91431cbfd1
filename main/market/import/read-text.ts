import { fault, type Fault } from '../../../shared/fault.ts';
import type { ImportHost } from '../../../shared/import.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { findServers, type FindOptions } from './find-servers.ts';
import type { FoundText } from './found-server.ts';
import { parseJson } from './parse-json.ts';
import { parseToml } from './parse-toml.ts';
import { readCommandLines } from './read-command-line.ts';
import { readAddress, readLink } from './read-link.ts';

export const TEXT_LIMIT_BYTES = 1024 * 1024;

/** A text as it was pasted: a fence of a README around it is taken off, its lines keep their numbers. */
const withoutFence = (text: string): string => {
  const fence = /^(\s*)(```|~~~)[^\n]*\n([\s\S]*?)\n[ \t]*\2[ \t]*\s*$/.exec(text);
  return fence === null ? text : `${fence[1]!}\n${fence[3]!}`;
};

const isToml = (text: string): boolean => /^[ \t]*\[+[ \t]*("?[\w-]+"?)([ \t]*\.|[ \t]*\])/m.test(text) && !/^\s*[[{]\s*[{"]/.test(text) && /^[ \t]*[\w."-]+[ \t]*=/m.test(text);
const isJson = (text: string): boolean => /^\s*(?:\/\/|\/\*|[{[])/.test(text);
/** `"name": { .. }` cut out of a file, with or without its last comma. */
const isPieceOfJson = (text: string): boolean => /^\s*"(?:[^"\\\n]|\\.)*"\s*:/.test(text);

/**
 * Reads whatever a person pastes: settings of any known program (JSON with comments, TOML), a piece of them, an install link, an address, command lines.
 * Errors: import_too_large, import_unreadable with line and column, import_no_servers.
 */
export const readText = (given: string, options: FindOptions = {}): Result<FoundText & { readonly host: ImportHost }, Fault> => {
  if (Buffer.byteLength(given) > TEXT_LIMIT_BYTES) return err(fault('import_too_large', 'This text is larger than settings are.', { field: 'text', remedy: 'Give the part that holds the servers.', details: { limitBytes: TEXT_LIMIT_BYTES } }));
  const text = withoutFence(given.replace(/^\uFEFF/, ''));
  const as = (host: ImportHost, found: Result<FoundText, Fault>): Result<FoundText & { readonly host: ImportHost }, Fault> => (found.ok ? ok({ ...found.value, host }) : found);
  if (text.trim() === '') return err(fault('import_no_servers', 'There is nothing in this text.', { field: 'text', remedy: 'Paste settings, a link, a command or an address.', details: { found: [] } }));
  const link = readLink(text);
  if (link !== null) return as('link', link);
  const address = readAddress(text);
  if (address !== null) return ok({ ...address, host: 'text' });
  if (isToml(text)) {
    const parsed = parseToml(text);
    return as('text', parsed.ok ? findServers(parsed.value, options) : parsed);
  }
  if (isJson(text) || isPieceOfJson(text)) {
    // the braces go where they move no line and no column of what was pasted
    const parsed = parseJson(isJson(text) ? text : `{${text}\n}`);
    if (!parsed.ok) return isJson(text) ? parsed : err(shifted(parsed.error));
    return as('text', findServers(parsed.value, options));
  }
  return as('text', readCommandLines(text));
};

/** One column back on the first line, for the brace that was put in front. */
const shifted = (found: Fault): Fault => {
  const { line, column, what } = found.details as { readonly line: number; readonly column: number; readonly what: string };
  const at = line === 1 ? Math.max(1, column - 1) : column;
  return { ...found, message: `Line ${line}, column ${at}: ${what}.`, details: { line, column: at, what } };
};
