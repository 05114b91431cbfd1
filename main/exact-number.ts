/** A decimal token as digits without leading or trailing zeros, and the power of ten of its last digit. */
const decimalOf = (token: string): { readonly digits: string; readonly exponent: number } | null => {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token);
  if (!parts) return null;
  const fraction = parts[2] ?? '';
  const all = `${parts[1]}${fraction}`;
  let from = 0;
  while (from < all.length && all[from] === '0') from += 1;
  let to = all.length;
  while (to > from && all[to - 1] === '0') to -= 1;
  return { digits: all.slice(from, to), exponent: Number(parts[3] ?? '0') - fraction.length + (all.length - to) };
};

/**
 * Does a double carry this JSON number token? True when the shortest text of the double (which RFC 8785 writes) has the same decimal value:
 * 0.1, 1.0, 1e21 do; 9007199254740993, 1e400 and 0.1000000000000000055 do not.
 */
export const carriesExactly = (token: string): boolean => {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  const text = String(value);
  if (text === token) return true;
  const asked = decimalOf(token);
  const kept = decimalOf(text);
  if (!asked || !kept) return false;
  return asked.digits === kept.digits && (asked.digits === '' || asked.exponent === kept.exponent);
};
