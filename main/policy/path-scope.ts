/** Three answers, because a wrong "yes" opens a door: `unknown` fails an allow rule and matches a deny rule (A12). */
export type Tri = 'yes' | 'no' | 'unknown';

interface ResolvedPath {
  readonly style: 'posix' | 'drive' | 'unc';
  /** drive letter or //server/share, lower case; empty for posix */
  readonly root: string;
  readonly segments: readonly string[];
}

/** What a server may expand or decode in its own way cannot be compared: percent escapes, ~, $VAR, %VAR%, braces, globs, backticks, NUL, control characters. */
const AMBIGUOUS = /[%{}*?[\]`]|[\u0000-\u001f\u007f]|\$[A-Za-z_(]|^~|^[A-Za-z][A-Za-z0-9+.-]+:\/\//;

const splitSegments = (text: string, separator: RegExp): readonly string[] => {
  const out: string[] = [];
  for (const segment of text.split(separator)) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') out.pop();
    else out.push(segment);
  }
  return out;
};

/** Windows drops trailing dots and blanks, knows short names (PROGRA~1) and streams (a.txt::$DATA): such segments have no certain meaning. */
const oddOnWindows = (segment: string): boolean => /[. ]$|~\d|:/.test(segment);

/** Lexical, as path.resolve does it; null when the text has no certain meaning (relative, encoded, device path). Symbolic links are not seen here. */
const resolvePath = (text: string): ResolvedPath | null => {
  if (text === '' || AMBIGUOUS.test(text) || !text.isWellFormed()) return null;
  if (/^[\\/]{2}[?.][\\/]/.test(text)) return null;
  const drive = /^([A-Za-z]):[\\/]/.exec(text);
  if (drive) {
    const segments = splitSegments(text.slice(3), /[\\/]/);
    return segments.some(oddOnWindows) ? null : { style: 'drive', root: drive[1]!.toLowerCase(), segments };
  }
  const unc = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)(?:[\\/]|$)/.exec(text);
  if (unc) {
    const segments = splitSegments(text.slice(unc[0].length), /[\\/]/);
    return segments.some(oddOnWindows) ? null : { style: 'unc', root: `${unc[1]}/${unc[2]}`.toLowerCase(), segments };
  }
  // a backslash is a legal character of a POSIX name and a separator elsewhere: no certain meaning
  if (!text.startsWith('/') || text.includes('\\')) return null;
  return { style: 'posix', root: '', segments: splitSegments(text, /\//) };
};

/** Kernel folders whose links lead anywhere (/proc/self/root, /dev/fd): what is under them may be anywhere. */
const leadsAnywhere = ({ style, segments }: ResolvedPath): boolean => style === 'posix' && (segments[0] === 'proc' || (segments[0] === 'dev' && segments[1] === 'fd'));

/** Equal for a file system that ignores case or normalises Unicode. */
const fold = (segment: string): string => segment.normalize('NFC').toLowerCase().normalize('NFC');

/**
 * Is `text` the folder `base` or inside it, by whole segments? `no` is certain on any file system; `yes` is certain but for symbolic links.
 * Paths that differ only in case or Unicode form are `unknown` on POSIX and equal on Windows.
 */
export const withinPath = (text: unknown, base: unknown): Tri => {
  if (typeof text !== 'string' || typeof base !== 'string') return 'unknown';
  const scope = resolvePath(base);
  const path = resolvePath(text);
  if (!scope || !path) return 'unknown';
  // \\localhost\C$ is C:\ : a share and a drive cannot be told apart
  if (scope.style !== path.style) return 'unknown';
  if (scope.root !== path.root) return scope.style === 'unc' ? 'unknown' : 'no';
  const head = path.segments.slice(0, scope.segments.length);
  const outside: Tri = leadsAnywhere(path) ? 'unknown' : 'no';
  if (head.length < scope.segments.length) return outside;
  if (scope.segments.every((s, i) => s === head[i])) return 'yes';
  const alike = scope.segments.every((s, i) => fold(s) === fold(head[i] ?? ''));
  if (!alike) return outside;
  return scope.style === 'posix' ? 'unknown' : 'yes';
};
