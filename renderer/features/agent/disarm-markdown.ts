/** At the margin a fence opens whatever stands before it (CommonMark 4.5); one that is set in may belong to a list, or to none. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** What another program would fetch or run when it shows the text, or when a link in it is pressed: a picture, HTML, a destination that is no plain address of the web. */
const ARMED = /!\[|<(?=[a-z/!?])|\](?:\((?![ \t]*https?:\/\/)|:(?![ \t]*https?:\/\/))/gi;

/** A backslash before its last character: what it would do there, it does no more. */
const disarmed = (text: string): string => text.replace(ARMED, (found) => `${found.slice(0, -1)}\\${found.slice(-1)}`);

/** Where a code span that begins with `marks` backticks before `from` ends: behind the next run of as many. -1: it is none. */
const endOfSpan = (line: string, from: number, marks: number): number => {
  for (const { 0: run, index } of line.slice(from).matchAll(/`+/g)) if (run.length === marks) return from + index + marks;
  return -1;
};

/**
 * One line with its code spans as they are. `open`: backticks of an earlier line of its block stand without their end, so that no span is certain to be one; the same is
 * told of this line. A bar in a span may be the border of a cell.
 */
const disarmLine = (line: string, open: boolean): { readonly text: string; readonly open: boolean } => {
  if (open) return { text: disarmed(line), open };
  let text = '';
  let from = 0;
  for (const { 0: found, index } of line.matchAll(/\\[^]|`+/g)) {
    if (index < from || found.startsWith('\\')) continue;
    const end = endOfSpan(line, index + found.length, found.length);
    if (end < 0 || line.slice(index, end).includes('|')) return { text: text + disarmed(line.slice(from)), open: true };
    text += disarmed(line.slice(from, index)) + line.slice(index, end);
    from = end;
  }
  return { text: text + disarmed(line.slice(from)), open: false };
};

/**
 * A model's Markdown for a file that any program may show: pictures, HTML and links that lead elsewhere than to the web stay visible as they were written and act in nothing; what is code for certain is left as it
 * is. A fence that stays open is closed.
 */
export const disarmMarkdown = (text: string): string => {
  let fence: string | null = null;
  let open = false;
  const lines = text.split(/\r\n|\r|\n/).map((line) => {
    if (fence !== null) {
      if (CLOSING.exec(line)?.[1]?.startsWith(fence) === true) fence = null;
      return line;
    }
    fence = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null || line.trim() === '') {
      open = false;
      return line;
    }
    const read = disarmLine(line, open);
    ({ open } = read);
    return read.text;
  });
  return [...lines, ...(fence === null ? [] : [fence])].join('\n');
};
