/** Drawn and laid out by itself, in characters: small enough that one more word draws little anew, large enough that few are needed. */
const CHUNK = 2_500;
/** Where no blank line comes, it ends at the next line that is not set in, of twice the length at any line; a line is no longer either. */
const LONGEST_CHUNK = 24_000;
/** Definitions of links; each is repeated in the parts that use it. */
const MOST_DEFINITIONS = 200;

const FENCE = /^\s*(`{3,}|~{3,})([^]*)$/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;
const TABLE_RULE = /^[ :|-]+$/;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]{1,20}\S.{0,1000}$/gm;

const pieces = (line: string): readonly string[] => {
  const out: string[] = [];
  for (let from = 0; from < line.length;) {
    const space = line.length - from <= LONGEST_CHUNK ? line.length : line.lastIndexOf(' ', from + LONGEST_CHUNK);
    const end = space > from ? space : from + LONGEST_CHUNK;
    out.push(line.slice(from, end));
    from = end;
  }
  return out;
};

/**
 * Markdown cut into parts that can be read one by one, in their order: at blank lines between blocks, never inside fenced code, in a list or a table only where it is very
 * long (a table's head is repeated then). Names of links that another part defines are defined where they are used. Linear in the length.
 */
export const answerChunks = (text: string): readonly string[] => {
  if (text.length <= CHUNK) return [text];
  const chunks: string[] = [];
  let lines: string[] = [];
  let size = 0;
  let fence: string | null = null;
  let blank = false;
  let head: readonly string[] = [];
  const cut = (): void => {
    if (lines.length > 0) chunks.push(lines.join('\n'));
    lines = [];
    size = 0;
  };
  const add = (line: string): void => {
    lines.push(line);
    size += line.length + 1;
  };
  for (const line of text.split('\n')) {
    if (fence === null) {
      const isRow = line.includes('|') && line.trim() !== '';
      if (!isRow) head = [];
      else if (TABLE_RULE.test(line) && line.includes('-') && lines.at(-1)?.includes('|') === true) head = [lines.at(-1)!, line];
      const between = blank && size >= CHUNK && /^\S/.test(line) && !LIST_ITEM.test(line);
      if (between || size >= 2 * LONGEST_CHUNK || (size >= LONGEST_CHUNK && /^\S/.test(line))) {
        cut();
        if (!between && isRow) head.forEach(add);
      }
    }
    const mark = FENCE.exec(line);
    if (mark !== null && fence === null) fence = mark[1]!;
    else if (mark !== null && fence !== null && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
    if (fence === null && line.length > LONGEST_CHUNK) {
      for (const piece of pieces(line)) {
        cut();
        add(piece);
      }
    } else add(line);
    blank = fence === null && line.trim() === '';
  }
  cut();
  return withDefinitions(text, chunks);
};

const withDefinitions = (text: string, chunks: readonly string[]): readonly string[] => {
  const definitions = [...text.matchAll(DEFINITION)].slice(0, MOST_DEFINITIONS);
  if (definitions.length === 0) return chunks;
  return chunks.map((chunk) => {
    const used = definitions.filter(([whole, name]) => chunk.includes(`[${name}]`) && !chunk.includes(whole));
    return used.length === 0 ? chunk : `${chunk}\n\n${used.map(([whole]) => whole).join('\n')}`;
  });
};
