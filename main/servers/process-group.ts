import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readProcStat } from './process-identity.ts';

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
export const STOP_LADDER = { graceMs: 2500, termMs: 1500, killMs: 900 } as const;

/**
 * The whole ladder, grandchildren included. `closeInput` gives the server its end of input. Once the leader has left by itself, what is left of its group gets a short
 * time and is ended. Returns false when something survived SIGKILL.
 */
export const stopGroup = async (leaderPid: number, closeInput: () => void, leaderHasExited: () => boolean, ladder: typeof STOP_LADDER | { graceMs: number; termMs: number; killMs: number } = STOP_LADDER): Promise<boolean> => {
  closeInput();
  const end = performance.now() + ladder.graceMs;
  while (performance.now() < end && !leaderHasExited()) await sleep(Math.min(20, Math.max(1, end - performance.now())));
  // after its leader a helper may still tidy up for a moment
  if (leaderHasExited() && (await groupEnds(leaderPid, Math.min(250, ladder.graceMs)))) return true;
  endGroup(leaderPid, false);
  if (await groupEnds(leaderPid, ladder.termMs)) return true;
  endGroup(leaderPid, true);
  return groupEnds(leaderPid, ladder.killMs);
};
