const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
const CODE_SPAN = /(`+)(?:(?!\1)[^\n])*\1/g;
/** What another program would fetch or run when it shows the text: a picture, HTML. */
const ARMED = /!\[|<(?=[a-z/!?])/gi;

const disarmLine = (line: string): string => {
  let out = '';
  let from = 0;
  const plain = (to: number): void => { out += line.slice(from, to).replace(ARMED, (found) => (found === '<' ? '\\<' : '!\\[')); };
  for (const span of line.matchAll(CODE_SPAN)) {
    plain(span.index);
    out += span[0];
    from = span.index + span[0].length;
  }
  plain(line.length);
  return out;
};

/** A model's Markdown for a file that any program may show: pictures and HTML stay visible as they were written and act in nothing; code is left as it is. A fence that stays open is closed. */
export const disarmMarkdown = (text: string): string => {
  let fence: string | null = null;
  const lines = text.split('\n').map((line) => {
    const mark = FENCE.exec(line);
    if (mark !== null && fence === null) fence = mark[1]!;
    else if (mark !== null && fence !== null && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
    else if (fence === null) return disarmLine(line);
    return line;
  });
  return [...lines, ...(fence === null ? [] : [fence])].join('\n');
};
