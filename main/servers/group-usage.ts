import { readdirSync, readFileSync } from 'node:fs';

export interface GroupUsage {
  readonly processes: number;
  readonly rssBytes: number;
}

/** What each process group uses, by its leader's pid; one walk through /proc for all servers. Empty where there is no /proc. */
export const readGroupUsage = (pageBytes = 4096): Map<number, GroupUsage> => {
  const usage = new Map<number, { processes: number; rssBytes: number }>();
  if (process.platform !== 'linux') return usage;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let text: string;
    try {
      text = readFileSync(`/proc/${name}/stat`, 'latin1');
    } catch {
      continue;
    }
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const group = Number(fields[2]);
    const entry = usage.get(group) ?? { processes: 0, rssBytes: 0 };
    entry.processes++;
    entry.rssBytes += Number(fields[21]) * pageBytes;
    usage.set(group, entry);
  }
  return usage;
};

/** Limits of one server with all its helpers (P09). Where the system has no limits for a group, the watch is the limit. */
export interface UsageLimits {
  readonly everyMs: number;
  readonly processes: number;
  readonly rssBytes: number;
}
export const USAGE_LIMITS: UsageLimits = { everyMs: 5000, processes: 256, rssBytes: 4 * 1024 ** 3 };

export const overLimit = (usage: GroupUsage, limits: UsageLimits): string | null => {
  if (usage.processes > limits.processes) return `it ran ${usage.processes} processes (limit ${limits.processes})`;
  if (usage.rssBytes > limits.rssBytes) return `it used ${Math.round(usage.rssBytes / 1024 ** 2)} MiB of memory (limit ${Math.round(limits.rssBytes / 1024 ** 2)})`;
  return null;
};
