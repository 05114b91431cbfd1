import type { Argument } from '../../shared/server.ts';

/** Characters a POSIX shell leaves alone. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** One argument as a POSIX shell would take it back unchanged. Nothing here is run by a shell: this is for reading and copying. */
export const quoted = (argument: string): string => (PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`);

export type LinePart = string | { readonly secretRef: string };

/** The whole command line, nothing shortened; a sealed argument stands as its reference. */
export const lineParts = (command: string, args: readonly Argument[]): readonly LinePart[] =>
  args.reduce<LinePart[]>(
    (parts, arg) => {
      const last = parts.at(-1)!;
      if (typeof arg !== 'string') return [...parts, arg];
      return typeof last === 'string' ? [...parts.slice(0, -1), `${last} ${quoted(arg)}`] : [...parts, quoted(arg)];
    },
    [quoted(command)],
  );

/** The command line as text, to copy: what is sealed is not in it. */
export const commandLine = (command: string, args: readonly Argument[]): string => lineParts(command, args).map((part) => (typeof part === 'string' ? part : quoted(`<${part.secretRef}>`))).join(' ');
