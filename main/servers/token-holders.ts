import { readFileSync, readdirSync } from 'node:fs';
import { readProcStat, TOKEN_NAME } from './process-identity.ts';

/**
 * Live processes outside `groupId` that carry the token of one start in their environment: those that left the process group for a session of their own (a wrapper that forks
 * twice, `setsid`). Linux, own user; empty where the system does not show the environment of a process, and for a program that cleared it.
 */
export const strayHolders = (token: string, groupId: number): number[] => {
  if (process.platform !== 'linux') return [];
  const mark = Buffer.from(`${TOKEN_NAME}=${token}\0`);
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`).includes(mark)) return [];
    } catch {
      return [];
    }
    const stat = readProcStat(pid);
    return stat !== null && stat.group !== groupId && stat.state !== 'Z' && stat.state !== 'X' ? [pid] : [];
  });
};

/** Signals each; one that ended in between is no matter. */
export const signalEach = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // ended in between
    }
  }
};
