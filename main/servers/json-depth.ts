/** Deeper JSON is not parsed: structuredClone and JSON.stringify, and with them every process border, give up from about 10,000 (F13). */
export const JSON_DEPTH_CAP = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** True when brackets outside strings nest deeper than `cap`. Counted on the bytes, before any parse. */
export const isDeeperThan = (bytes: Uint8Array, cap: number = JSON_DEPTH_CAP): boolean => {
  // less than cap + 1 opening brackets fit into so few bytes
  if (bytes.length <= cap) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const b = bytes[i]!;
    if (inString) {
      if (b === BACKSLASH) i++;
      else if (b === QUOTE) inString = false;
    } else if (b === QUOTE) inString = true;
    else if (b === 0x7b || b === 0x5b) {
      if (++depth > cap) return true;
    } else if (b === 0x7d || b === 0x5d) depth--;
  }
  return false;
};

/** True when more than `cap` bytes stand outside strings, quotes counted: what a parser makes objects of, at up to twenty bytes of memory for each. */
export const hasMoreStructureThan = (bytes: Uint8Array, cap: number): boolean => {
  if (bytes.length <= cap) return false;
  let structure = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const b = bytes[i]!;
    if (inString) {
      if (b === BACKSLASH) i++;
      else if (b === QUOTE) {
        inString = false;
        structure++;
      }
    } else {
      if (b === QUOTE) inString = true;
      if (++structure > cap) return true;
    }
  }
  return false;
};
