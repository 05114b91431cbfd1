const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LONGEST_NAME = 16;
const LONGEST_ID = 220;
const ID = /^\s*:\s*(?:(-?\d{1,15})(?=[\s,}])|"([^"\\]{1,200})")/;

/**
 * The id of a request, from bytes that are not parsed (too deep, too much, no JSON): undefined where they are no request (no `method` beside the id), null where one has no
 * usable id. A request has ids of its sender's own choosing, so that an unread one must not be taken for the answer to ours. One pass.
 */
export const unreadRequest = (bytes: Buffer): string | number | null | undefined => {
  let depth = 0;
  let from = -1;
  let hasMethod = false;
  let id: string | number | null = null;
  for (let at = 0; at < bytes.length; at++) {
    const b = bytes[at]!;
    if (from >= 0) {
      if (b === BACKSLASH) at++;
      else if (b === QUOTE) {
        if (depth === 1 && at - from <= LONGEST_NAME) {
          const name = bytes.toString('latin1', from, at);
          const found = name === 'id' ? ID.exec(bytes.toString('utf8', at + 1, at + 1 + LONGEST_ID)) : null;
          if (found !== null) id = found[1] === undefined ? found[2]! : Number(found[1]);
          if (name === 'method' && /^\s*:\s*"/.test(bytes.toString('latin1', at + 1, at + 16))) hasMethod = true;
        }
        from = -1;
      }
    } else if (b === QUOTE) from = at + 1;
    else if (b === 0x7b || b === 0x5b) depth++;
    else if (b === 0x7d || b === 0x5d) depth--;
  }
  return hasMethod ? id : undefined;
};
