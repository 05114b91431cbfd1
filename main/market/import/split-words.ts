/** A command line as a shell would cut it, with whether it holds what only a shell could do. */
export interface SplitLine {
  readonly words: readonly string[];
  /** `;`, `|`, `&`, redirections, `$(..)` or backticks outside of quotes that protect them */
  readonly shell: boolean;
  /** a quote that does not end; -1 where all do */
  readonly openAt: number;
}

/**
 * Cuts a command line into words: single and double quotes, a backslash before a space, a quote, `$`, another backslash or a line break (elsewhere it is itself, as in
 * a Windows path), and the line continuations of the POSIX shell, cmd.exe (`^`) and PowerShell (backtick). Nothing is expanded: `${NAME}` stays as written.
 */
export const splitWords = (text: string): SplitLine => {
  const words: string[] = [];
  let word: string | null = null;
  let shell = false;
  let quote: { readonly mark: string; readonly at: number } | null = null;
  const add = (part: string): void => void (word = (word ?? '') + part);
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i]!;
    const next = text[i + 1];
    if (quote?.mark === "'") {
      if (c === "'") quote = null;
      else add(c);
    } else if (c === '\\' && next !== undefined && (quote === null ? /[\s"'\\$`&|;<>()]/ : /["\\$`\n]/).test(next)) {
      if (next === '\n' || (next === '\r' && text[i + 2] === '\n')) i += next === '\r' ? 1 : 0;
      else add(next);
      i += 1;
    } else if (quote !== null) {
      if (c === quote.mark) quote = null;
      else {
        if (c === '`' || (c === '$' && next === '(')) shell = true;
        add(c);
      }
    } else if (c === '"' || c === "'") {
      quote = { mark: c, at: i };
      add('');
    } else if ((c === '^' || c === '`') && (next === '\n' || (next === '\r' && text[i + 2] === '\n'))) i += next === '\r' ? 2 : 1;
    else if (/\s/.test(c)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (/[;|&<>`]/.test(c) || (c === '$' && next === '(')) shell = true;
      add(c);
    }
  }
  if (word !== null) words.push(word);
  return { words, shell, openAt: quote?.at ?? -1 };
};
