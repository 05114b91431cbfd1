/**
 * `${name}` and `${name:-otherwise}` in a text of a server's configuration, `$${` for a literal `${`. Only names that the configuration declares are filled in;
 * the rest stays as it is written. `:-` is the shell's: otherwise, when the value is missing or empty (POSIX.1-2024, 2.6.2).
 */
export type TemplatePart = string | { readonly name: string; readonly otherwise: string | null; readonly raw: string };

/** Where the hole that opens at `at` (on `${`) ends, exclusive; braces inside count. -1 where it does not end. */
const endOfHole = (text: string, at: number): number => {
  let depth = 0;
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return -1;
};

/** The parts of a text in order; joined by their raw form (and `$${` for each `${` within a string) they give it back. */
export const templateParts = (text: string): readonly TemplatePart[] => {
  const parts: TemplatePart[] = [];
  let plain = '';
  let at = 0;
  for (let next = text.indexOf('${', at); next >= 0; next = text.indexOf('${', at)) {
    if (next > at && text[next - 1] === '$') {
      plain += `${text.slice(at, next - 1)}\${`;
      at = next + 2;
      continue;
    }
    plain += text.slice(at, next);
    const end = endOfHole(text, next);
    if (end < 0) {
      plain += text.slice(next);
      at = text.length;
      break;
    }
    const inner = text.slice(next + 2, end - 1);
    const colon = inner.indexOf(':-');
    if (plain !== '') parts.push(plain);
    plain = '';
    parts.push({ name: colon < 0 ? inner : inner.slice(0, colon), otherwise: colon < 0 ? null : inner.slice(colon + 2), raw: text.slice(next, end) });
    at = end;
  }
  plain += text.slice(at);
  return plain === '' ? parts : [...parts, plain];
};

/** Fall-backs within fall-backs that are read; what stands deeper stays as it is written. */
export const MOST_LEVELS = 32;

/** How deep the holes of a text stand in one another. */
export const levelsOf = (text: string): number => {
  const open: boolean[] = [];
  let [level, most] = [0, 0];
  for (let i = text.indexOf('${'); i >= 0 && i < text.length; i += 1) {
    if (text[i] === '{') {
      const hole = text[i - 1] === '$';
      open.push(hole);
      if (hole) level += 1;
      most = Math.max(most, level);
    } else if (text[i] === '}' && open.pop() === true) level -= 1;
  }
  return most;
};

/** Names of the holes of a text, those of its fall-backs too, each once. */
export const holesOf = (text: string, level = 0): readonly string[] =>
  level >= MOST_LEVELS ? [] : [...new Set(templateParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name, ...(part.otherwise === null ? [] : holesOf(part.otherwise, level + 1))])))];

/** What stands for a hole: a text, `missing`, or null where the name is not declared and the hole stays as it is written. */
export type Filling = string | { readonly missing: true } | null;

/** The text with its holes filled, or the name of the first one that has no value. */
export const fillTemplate = (text: string, filling: (name: string) => Filling, level = 0): { readonly text: string } | { readonly missing: string } => {
  if (level >= MOST_LEVELS) return { text };
  let filled = '';
  for (const part of templateParts(text)) {
    if (typeof part === 'string') {
      filled += part;
      continue;
    }
    const value = filling(part.name);
    if (value === null) filled += part.raw;
    else if (typeof value === 'string' && (value !== '' || part.otherwise === null)) filled += value;
    else if (part.otherwise === null) return { missing: part.name };
    else {
      const otherwise = fillTemplate(part.otherwise, filling, level + 1);
      if ('missing' in otherwise) return otherwise;
      filled += otherwise.text;
    }
  }
  return { text: filled };
};
