import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readProcStat } from './process-identity.ts';
import { signalEach } from './token-holders.ts';

/** Live (not zombie) members of a process group. Linux reads /proc; elsewhere signal 0 to the group answers whether there is any. */
export const groupMembers = (groupId: number): number[] => {
  if (process.platform !== 'linux') return isGroupAlive(groupId) ? [groupId] : [];
  const members: number[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readProcStat(pid);
    if (stat !== null && stat.group === groupId && stat.state !== 'Z' && stat.state !== 'X') members.push(pid);
  }
  return members;
};

const signalGroup = (groupId: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** A group of zombies alone counts as ended on Linux: they hold nothing and wait for their parent only. */
export const isGroupAlive = (groupId: number): boolean => {
  if (process.platform === 'win32') {
    try {
      process.kill(groupId, 0);
      return true;
    } catch {
      return false;
    }
  }
  if (!signalGroup(groupId, 0)) return false;
  return process.platform === 'linux' ? groupMembers(groupId).length > 0 : true;
};

/** The command that ends a process tree on Windows; without force it asks first. */
export const taskkillArguments = (pid: number, force: boolean): string[] => ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])];

/** Asks (SIGTERM) or forces (SIGKILL) the whole group that `leaderPid` leads (P04). */
export const endGroup = (leaderPid: number, force: boolean): void => {
  if (process.platform === 'win32') {
    execFile('taskkill', taskkillArguments(leaderPid, force), { windowsHide: true }, () => {});
    return;
  }
  signalGroup(leaderPid, force ? 'SIGKILL' : 'SIGTERM');
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** True when the group ended within `limitMs`. */
export const groupEnds = async (leaderPid: number, limitMs: number, stepMs = 20): Promise<boolean> => {
  const end = performance.now() + limitMs;
  for (let round = 0; ; round++) {
    // looking through all of /proc is dear: signal 0 answers most rounds
    if (process.platform === 'win32' || round % 5 === 0 ? !isGroupAlive(leaderPid) : !signalGroup(leaderPid, 0)) return true;
    const left = end - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(stepMs, left));
  }
};

/** End of input, then SIGTERM after `graceMs`, then SIGKILL after `termMs`: 5 s in all (P03, C016). */
export const STOP_LADDER: StopLadder = { graceMs: 2500, termMs: 1500, killMs: 900 };

export interface StopLadder {
  readonly graceMs: number;
  readonly termMs: number;
  readonly killMs: number;
}

export interface GroupToStop {
  readonly leaderPid: number;
  /** gives the server its end of input */
  readonly closeInput: () => void;
  readonly leaderHasExited: () => boolean;
  /** processes of the server outside its group */
  readonly strays?: () => readonly number[];
}

/** A wrapper may leave at its end of input while the server below it still tidies up (C016); nobody tidies up for one that left by itself. */
const TIDY_MS = { afterStop: 1700, afterOwnEnd: 250 } as const;

/** The whole ladder, for the group and for what left it (P04, C014). Returns false when something survived SIGKILL. */
export const stopGroup = async (group: GroupToStop, ladder: StopLadder = STOP_LADDER): Promise<boolean> => {
  const { leaderPid, leaderHasExited, strays = () => [] } = group;
  const startedAt = performance.now();
  const tidyMs = leaderHasExited() ? TIDY_MS.afterOwnEnd : TIDY_MS.afterStop;
  group.closeInput();
  const rest = (limitMs: number): number => startedAt + limitMs - performance.now();
  while (rest(ladder.graceMs) > 0 && !leaderHasExited()) await sleep(Math.min(20, Math.max(1, rest(ladder.graceMs))));
  const allEnd = async (limitMs: number): Promise<boolean> => {
    const end = performance.now() + limitMs;
    if (!(await groupEnds(leaderPid, limitMs))) return false;
    // looking through /proc for them is dear: seldom
    while (strays().length > 0) {
      if (performance.now() >= end) return false;
      await sleep(Math.min(100, Math.max(1, end - performance.now())));
    }
    return true;
  };
  if (leaderHasExited() && (await allEnd(Math.min(ladder.graceMs, Math.max(TIDY_MS.afterOwnEnd, rest(tidyMs)))))) return true;
  for (const [force, limitMs] of [[false, ladder.termMs], [true, ladder.killMs]] as const) {
    endGroup(leaderPid, force);
    signalEach(strays(), force ? 'SIGKILL' : 'SIGTERM');
    if (await allEnd(limitMs)) return true;
  }
  return false;
};
