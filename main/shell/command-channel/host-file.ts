import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** `<dataDir>/host.json`, mode 0600: how the command finds the host that holds this data folder. */
export const HostFileSchema = z.object({
  pid: z.number().int().positive(),
  startedAt: z.number(),
  shell: z.enum(['electron', 'loopback']),
  approvals: z.enum(['window', 'script']),
  channel: z.string().min(1),
  token: z.string().min(20),
  port: z.number().optional(),
});
export type HostFile = z.infer<typeof HostFileSchema>;

const pathOf = (dataDir: string): string => join(dataDir, 'host.json');

export const writeHostFile = (dataDir: string, file: HostFile): void => {
  const half = `${pathOf(dataDir)}.${file.pid}`;
  rmSync(half, { force: true });
  try {
    writeFileSync(half, `${JSON.stringify(file)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(half, pathOf(dataDir));
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
};

/** Null where there is none or it cannot be understood: both mean that no host is known. */
export const readHostFile = (dataDir: string): HostFile | null => {
  try {
    const parsed = HostFileSchema.safeParse(JSON.parse(readFileSync(pathOf(dataDir), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** Removes the file only while it is still this host's. */
export const removeHostFile = (dataDir: string, token: string): void => {
  if (readHostFile(dataDir)?.token === token) rmSync(pathOf(dataDir), { force: true });
};
