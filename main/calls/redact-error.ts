import { shorten } from '../evidence/result-preview.ts';

/** Characters of a server's error text that are passed on. */
const LONGEST_ERROR = 4_000;

const STACK_LINES = [
  /^\s*at (?:async )?(?:new )?\S.*(?::\d+:\d+\)?|\(native\)|\(<anonymous>\)|\.java:\d+\))\s*$/, // V8, Java
  /^\s*File ".*", line \d+(?:, in .*)?\s*$/, // Python
  /^\s*(?:goroutine \d+ \[|\S+\.go:\d+ \+0x)/, // Go
  /^\s*\d+: 0x[0-9a-f]+ - /, // Rust
  /^\s*from \S+:\d+:in /, // Ruby
  /^\s*at \S+\(.*\)(?: in .+:line \d+)?\s*$/, // .NET
  /^\s*#\d+ \S.*\(\d+\): /, // PHP
];

const STEP = '[^\\s\\\\/:"\'`<>|()\\[\\]{},;]{1,255}';
const ROOTS = '(?:home|Users|root|usr|opt|var|etc|srv|tmp|mnt|media|private|Library|Applications|Volumes|System|proc|run|snap|nix|app|apps|workspace|workspaces|build|node_modules)';
/** Absolute paths on the three systems: below a folder that file systems have, or with a file's ending; drives, shares and file addresses. The paths of web addresses stay. */
const PATHS = new RegExp(
  [`file:\\/\\/\\/?(?:${STEP}[\\\\/]){0,40}${STEP}`, `(?<![\\w.:/~-])\\/${ROOTS}(?:\\/${STEP}){1,40}`, `(?<![\\w.:/~-])(?:\\/${STEP}){2,40}\\.[A-Za-z][A-Za-z0-9]{0,7}(?![\\w/])`, `(?<![\\w])~(?:\\/${STEP}){1,40}`, `(?<![A-Za-z])[A-Za-z]:[\\\\/](?:[^\\s\\\\/:"'<>|]{1,255}[\\\\/]){0,40}[^\\s\\\\/:"'<>|]{1,255}`, `(?<!\\\\)\\\\\\\\${STEP}(?:\\\\${STEP}){1,40}`].join('|'),
  'g',
);

const lastPart = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/** A server's error words without stack lines and paths (the file name alone stays), bounded. What was taken out is said. It cuts: what it is given has been through the privacy filter. */
export const redactError = (text: string): string => {
  const lines = text.length > 65_536 ? [text.slice(0, 65_536)] : text.split('\n');
  let dropped = 0;
  let inPython = false;
  const kept: string[] = [];
  for (const line of lines) {
    const isStack = STACK_LINES.some((pattern) => line.length < 1_000 && pattern.test(line));
    // Python prints the source line, indented, below each frame
    const isSource: boolean = inPython && /^\s{4,}\S/.test(line);
    inPython = isStack ? line.trimStart().startsWith('File "') : inPython && isSource;
    if (isStack || isSource || /^Traceback \(most recent call last\):\s*$/.test(line)) dropped += 1;
    else kept.push(line);
  }
  const words = kept.join('\n').replace(PATHS, (path) => `[path]/${lastPart(path)}`);
  const note = dropped > 0 ? `${words.trimEnd()}\n[${dropped} lines of a stack trace left out]` : words;
  return shorten(note, LONGEST_ERROR);
};

/** The same over every text of a structured error. */
export const redactErrorValue = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return redactError(value);
  if (typeof value !== 'object' || value === null || depth > 200) return value;
  if (Array.isArray(value)) return value.map((item) => redactErrorValue(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, /^stack(?:_?trace)?$/i.test(key) ? '[left out]' : redactErrorValue(member, depth + 1)]));
};

export type ErrorCategory = 'not_found' | 'permission' | 'rate_limit' | 'invalid_argument' | 'network' | 'timeout' | 'other';

const CATEGORIES: readonly (readonly [ErrorCategory, RegExp])[] = [
  ['rate_limit', /rate.?limit|too many requests|\b429\b|quota|过于频繁|请求过多|限流|配额/i],
  ['permission', /permission|denied|forbidden|unauthori[sz]ed|not allowed|\b40[13]\b|EACCES|EPERM|权限|拒绝访问|未授权|禁止/i],
  ['not_found', /not found|no such|does not exist|unknown (?:tool|id|name)|\b404\b|ENOENT|不存在|找不到|未找到/i],
  ['timeout', /time(?:d )?.?out|deadline exceeded|ETIMEDOUT|超时/i],
  ['network', /network|connection|ECONN|ENOTFOUND|EAI_AGAIN|fetch failed|socket|网络|连接/i],
  ['invalid_argument', /invalid|required|must be|expected|validation|\b400\b|malformed|参数|无效|格式错误/i],
];

/** A guess from the server's words, told as such. `retryable` only where nothing can have happened. */
export const categoryOf = (text: string): ErrorCategory => CATEGORIES.find(([, words]) => words.test(text.slice(0, 4_000)))?.[0] ?? 'other';
