/** Characters a POSIX shell leaves alone. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** One argument as a POSIX shell would take it back unchanged. Nothing here is run by a shell: this is for reading and copying. */
export const quoted = (argument: string): string => (PLAIN.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`);

/** The whole command line, nothing shortened. */
export const commandLine = (command: string, args: readonly string[]): string => [command, ...args].map(quoted).join(' ');
