import type { ServerSpec } from '../../../shared/server.ts';

export interface LaunchWarning {
  readonly code: string;
  readonly detail: string;
  /** JSON Pointer of the place in the request */
  readonly field?: string;
  readonly remedy?: string;
}

/**
 * Says before consent that a command of one's own would not start now: `command_is_line` where it has blanks and is no program, so that it reads like a whole line;
 * else `command_not_found`. Null where it is found. It is a warning, not a refusal: the program may be installed later.
 */
export const commandWarning = (spec: ServerSpec, find: (command: string) => string | null): LaunchWarning | null => {
  if (spec.kind !== 'command' || find(spec.command) !== null) return null;
  const [program = '', ...rest] = spec.command.trim().split(/\s+/);
  return rest.length > 0
    ? { code: 'command_is_line', detail: spec.command, field: '/spec/command', remedy: `Give "${program}" alone as the command and the rest as arguments.` }
    : { code: 'command_not_found', detail: spec.command, field: '/spec/command', remedy: 'Install it, or give its full path.' };
};
