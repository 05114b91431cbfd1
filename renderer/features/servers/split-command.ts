export interface SplitCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const PART = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/**
 * A whole command line that was written where a program belongs, as program and arguments; null where it has no blanks or a quote stays open.
 * Quotes group and are taken off; a backslash is itself, as paths of Windows have it. It is only an offer: a program's path may hold blanks.
 */
export const splitCommand = (text: string): SplitCommand | null => {
  const line = text.trim();
  if (line.replace(PART, '').trim() !== '') return null;
  const [command = '', ...args] = (line.match(PART) ?? []).map((part) => part.replace(/"([^"]*)"|'([^']*)'/g, (_all, double: string | undefined, single: string | undefined) => double ?? single ?? ''));
  return args.length === 0 || command === '' || args.some((arg) => arg.includes('\n')) ? null : { command, args };
};
