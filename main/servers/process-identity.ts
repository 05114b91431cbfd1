import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The environment name by which a started server is known again (P06, P07). */
export const TOKEN_NAME = 'GANTRY_SERVER_TOKEN';

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
};

interface ProcStat {
  readonly state: string;
  readonly group: number;
  readonly startTicks: string;
}

/** Linux: fields 3, 5 and 22 of /proc/<pid>/stat; the name in field 2 may hold spaces and brackets. */
export const parseProcStat = (text: string): ProcStat | null => {
  const rest = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = rest;
  const startTicks = rest[19];
  if (state === undefined || group === undefined || startTicks === undefined) return null;
  return { state, group: Number(group), startTicks };
};

export const readProcStat = (pid: number): ProcStat | null => {
  const text = readText(`/proc/${pid}/stat`);
  return text === null ? null : parseProcStat(text);
};

/** When the process started, in a form that no other process of any boot has; null when there is no such process or the system does not tell. */
export const startTimeOf = (pid: number, platform: NodeJS.Platform = process.platform): string | null => {
  if (platform === 'linux') {
    const stat = readProcStat(pid);
    const boot = readText('/proc/sys/kernel/random/boot_id')?.trim();
    return stat === null || stat.state === 'Z' || boot === undefined ? null : `${boot}:${stat.startTicks}`;
  }
  try {
    const [file, args] =
      platform === 'win32'
        ? ['powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]]
        : ['/bin/ps', ['-o', 'lstart=', '-p', String(pid)]];
    const text = execFileSync(file as string, args as string[], { encoding: 'utf8', timeout: 3000, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
};

/** True or false where the system lets us read the environment of a process (Linux, own user), null where it does not. */
export const carriesToken = (pid: number, token: string): boolean | null => {
  const text = readText(`/proc/${pid}/environ`);
  if (text === null || text === '') return null;
  return text.split('\0').includes(`${TOKEN_NAME}=${token}`);
};
