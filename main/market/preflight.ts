import type { MarketEntry, Preflight } from '../../shared/market.ts';

/** Finds a program as a launch would: its absolute file, or null. */
export type FindProgram = (command: string) => string | null;

const REMEDIES: Readonly<Record<string, string>> = {
  uvx: 'Install uv from docs.astral.sh/uv (it brings uvx), then try again; or add the server as a command with another Python runner.',
  docker: 'Install Docker, or Podman with its docker command, then try again.',
};

/** Apps that Gantry does not install itself are started by a program of this computer. Null where none is needed. */
export const preflightOf = (entry: Pick<MarketEntry, 'spec'>, find: FindProgram): Preflight | null => {
  if (entry.spec.kind !== 'command') return null;
  const program = entry.spec.command;
  return { program, found: find(program), remedy: REMEDIES[program] ?? `Install ${program}, or set its absolute path in the server's configuration.` };
};
