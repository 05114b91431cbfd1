import { LIST_FIELDS } from './deep-entries.ts';

/** One entry of a list: more than any definition in use, less than what would hold up the host while it is hashed, searched and stored. */
export const ENTRY_CAP_BYTES = 2 * 1024 * 1024;
/** The same outside its texts: 256 KiB are beyond the number of subschemas that a schema may have. */
export const ENTRY_STRUCTURE_CAP_BYTES = 256 * 1024;

/** What stands in a list in place of an entry that is too large; reading the list names it. */
const leftOut = (sizeBytes: number): string => `(left out: a definition of ${sizeBytes} bytes)`;
const LEFT_OUT = /^\(left out: a definition of (\d{1,10}) bytes\)$/;

/** Why an entry stands in a list as left out; null for any other. */
export const tooLargeReason = (entry: unknown): string | null => {
  const found = typeof entry === 'string' ? LEFT_OUT.exec(entry) : null;
  return found === null ? null : `a definition of ${found[1]} bytes; at most ${ENTRY_CAP_BYTES} are read, of these ${ENTRY_STRUCTURE_CAP_BYTES} outside texts`;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

interface Sizes {
  readonly bytes: number;
  readonly structure: number;
}
const isOver = ({ bytes, structure }: Sizes): boolean => bytes > ENTRY_CAP_BYTES || structure > ENTRY_STRUCTURE_CAP_BYTES;

/** The entry, or what stands for it. `text`: its JSON. */
export const capEntry = (entry: unknown, text: string): unknown => {
  if (text.length <= ENTRY_STRUCTURE_CAP_BYTES) return entry;
  let structure = 0;
  for (let i = 0, inString = false; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString && c === BACKSLASH) i++;
    else if (c === QUOTE) {
      inString = !inString;
      structure++;
    } else if (!inString) structure++;
  }
  const bytes = Buffer.byteLength(text);
  return isOver({ bytes, structure }) ? leftOut(bytes) : entry;
};

/**
 * The bytes of an answer to a list request without those of its entries that are too large, found before anything is parsed: each loses itself alone (S10).
 * Null where there is none, or the message is no such answer. One pass.
 */
export const withoutLargeEntries = (bytes: Buffer): Buffer | null => {
  if (!LIST_FIELDS.some((field) => bytes.includes(`"${field}"`))) return null;
  const kept: Buffer[] = [];
  let copied = 0;
  /** names of the members that lead here: of the message, then of its result */
  const names: [string, string] = ['', ''];
  const objects: boolean[] = [];
  let depth = 0;
  let expectsName = false;
  let stringFrom = -1;
  let inList = false;
  let entryFrom = -1;
  let structure = 0;
  const endEntry = (at: number): void => {
    if (entryFrom >= 0 && isOver({ bytes: at - entryFrom, structure })) {
      kept.push(bytes.subarray(copied, entryFrom), Buffer.from(JSON.stringify(leftOut(at - entryFrom))));
      copied = at;
    }
    entryFrom = -1;
  };
  for (let at = 0; at < bytes.length; at++) {
    const b = bytes[at]!;
    if (stringFrom >= 0) {
      if (b === BACKSLASH) at++;
      else if (b === QUOTE) {
        structure++;
        if (expectsName && depth <= 2) names[depth - 1] = bytes.toString('latin1', stringFrom, Math.min(at, stringFrom + 64));
        expectsName = false;
        stringFrom = -1;
      }
      continue;
    }
    structure++;
    if (b === QUOTE) stringFrom = at + 1;
    else if (b === 0x7b || b === 0x5b) {
      depth++;
      if (depth <= 3) {
        objects[depth] = b === 0x7b;
        expectsName = b === 0x7b && depth <= 2;
        if (depth === 3 && b === 0x5b && objects[1] === true && objects[2] === true && names[0] === 'result' && LIST_FIELDS.includes(names[1])) {
          inList = true;
          [entryFrom, structure] = [at + 1, 0];
        }
      }
    } else if (b === 0x7d || b === 0x5d) {
      if (depth === 3 && inList) {
        endEntry(at);
        inList = false;
      }
      depth--;
    } else if (b === COMMA) {
      if (depth === 3 && inList) {
        endEntry(at);
        [entryFrom, structure] = [at + 1, 0];
      } else if (depth <= 2 && objects[depth] === true) expectsName = true;
    }
  }
  if (kept.length === 0) return null;
  return Buffer.concat([...kept, bytes.subarray(copied)]);
};
