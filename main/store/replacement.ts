import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makePrivateDir } from './data-dir.ts';
import { fileStamp } from './set-aside.ts';

/** The contents of the data folder that a restore or a reset changes, as one step: this file says what leaves and what comes in. It is written last and removed last. */
const FILE = 'replacement.json';

/** One entry at the top of the data folder: no separator, so that nothing outside can be meant. */
const Name = z.string().regex(/^[^/\\\0]{1,200}$/).refine((name) => name !== '.' && name !== '..');
const Schema = z.object({
  v: z.literal(1),
  kind: z.enum(['restore', 'reset']),
  /** twelve hex digits: names `.restore-<id>` (what comes in) and `.trash-<id>` (what is removed) */
  id: z.string().regex(/^[0-9a-f]{12}$/),
  /** `in`: under way, begins with everything old; `moved`: everything new is in its place; `opened`: it was opened, and what is left is to be tidied up; `clear`, `back`: the old is brought back */
  phase: z.enum(['in', 'moved', 'opened', 'clear', 'back']),
  /** whether everything was in its place when it was turned round */
  wasMoved: z.boolean(),
  incoming: z.array(Name),
  /** what leaves, each to where it can be got back or to where it is removed */
  outgoing: z.array(z.object({ name: Name, to: z.enum(['aside', 'trash']) })),
  /** folder of what is set aside, under `set-aside/` */
  aside: Name,
  /** accounts of the system's keychain that hold a key of what leaves */
  forget: z.array(z.string()),
  /** a database that is set aside loses its secrets and keys */
  stripSecrets: z.boolean(),
  /** when the backup was made that comes in, in ms since epoch */
  backupAt: z.number().optional(),
});
export type Replacement = z.infer<typeof Schema>;

/** Points at which a test ends the process. */
export type OnPoint = (point: string) => void;

/** Data that a restore or a reset put out of the way. */
export const SET_ASIDE = 'set-aside';
const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
export const stagingOf = (dataDir: string, id: string): string => join(dataDir, `.restore-${id}`);
export const trashOf = (dataDir: string, id: string): string => join(dataDir, `.trash-${id}`);
export const asideOf = (dataDir: string, aside: string): string => join(dataDir, SET_ASIDE, aside);

const syncFolder = (dir: string): void => {
  // Windows opens no folder
  if (process.platform === 'win32') return;
  const fd = openSync(dir, 'r');
  fsyncSync(fd);
  closeSync(fd);
};

/** Whole or not at all, also after a loss of power. */
export const writeReplacement = (dataDir: string, replacement: Replacement): void => {
  const path = join(dataDir, FILE);
  const fd = openSync(`${path}.tmp`, 'w', 0o600);
  try {
    writeSync(fd, JSON.stringify(replacement));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.tmp`, path);
  syncFolder(dataDir);
};

/** Null where none is under way. One that cannot be read was not written by Gantry, and is left alone. */
export const readReplacement = (dataDir: string): Replacement | null => {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) return null;
  try {
    const parsed = Schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/** A new one, not yet written. `at` in ms since epoch. */
export const newReplacement = (dataDir: string, at: number, about: Pick<Replacement, 'kind' | 'incoming' | 'outgoing' | 'forget' | 'stripSecrets' | 'backupAt'> & { readonly id?: string }): Replacement => {
  let aside = fileStamp(at);
  for (let n = 2; exists(asideOf(dataDir, aside)); n += 1) aside = `${fileStamp(at)}-${n}`;
  return { v: 1, phase: 'in', wasMoved: false, aside, ...about, id: about.id ?? randomBytes(6).toString('hex') };
};

const placeOf = (dataDir: string, { id, aside }: Replacement, to: 'aside' | 'trash'): string => (to === 'aside' ? asideOf(dataDir, aside) : trashOf(dataDir, id));

/** From `in` to `moved`. Goes on where it was cut off; throws what the disk says. */
export const moveIn = (dataDir: string, replacement: Replacement, onPoint: OnPoint): Replacement => {
  const staging = stagingOf(dataDir, replacement.id);
  for (const { name, to } of replacement.outgoing) {
    const current = join(dataDir, name);
    // a name that comes in and is no longer in the staging is in its place already
    if (!exists(current) || (replacement.incoming.includes(name) && !exists(join(staging, name)))) continue;
    const folder = placeOf(dataDir, replacement, to);
    makePrivateDir(folder);
    renameSync(current, join(folder, name));
    onPoint(`out:${name}`);
  }
  for (const name of replacement.incoming) {
    if (exists(join(staging, name))) renameSync(join(staging, name), join(dataDir, name));
    onPoint(`in:${name}`);
  }
  syncFolder(dataDir);
  const moved: Replacement = { ...replacement, phase: 'moved' };
  writeReplacement(dataDir, moved);
  onPoint('moved');
  return moved;
};

/** From any phase back to how it was. Goes on where it was cut off. */
export const moveBack = (dataDir: string, replacement: Replacement, onPoint: OnPoint): void => {
  const staging = stagingOf(dataDir, replacement.id);
  let now = replacement;
  const step = (phase: Replacement['phase']): void => {
    now = { ...now, phase };
    writeReplacement(dataDir, now);
    onPoint(phase);
  };
  if (now.phase === 'in' || now.phase === 'moved') {
    now = { ...now, wasMoved: now.phase === 'moved' };
    step('clear');
  }
  if (now.phase === 'clear') {
    mkdirSync(staging, { recursive: true, mode: 0o700 });
    for (const name of new Set([...now.incoming, ...(now.wasMoved ? now.outgoing.map((one) => one.name) : [])])) {
      if (exists(join(dataDir, name)) && !exists(join(staging, name))) renameSync(join(dataDir, name), join(staging, name));
      onPoint(`clear:${name}`);
    }
    step('back');
  }
  for (const { name, to } of now.outgoing) {
    const from = join(placeOf(dataDir, now, to), name);
    if (exists(from)) renameSync(from, join(dataDir, name));
    onPoint(`back:${name}`);
  }
  finishReplacement(dataDir, now);
};

/** What is needed no more: what came in or was thrown away, an empty folder aside, and the file itself, last. */
export const finishReplacement = (dataDir: string, replacement: Replacement): void => {
  for (const path of [stagingOf(dataDir, replacement.id), trashOf(dataDir, replacement.id)]) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const aside = asideOf(dataDir, replacement.aside);
  if (existsSync(aside) && readdirSync(aside).length === 0) rmSync(aside, { recursive: true });
  if (existsSync(join(dataDir, SET_ASIDE)) && readdirSync(join(dataDir, SET_ASIDE)).length === 0) rmSync(join(dataDir, SET_ASIDE), { recursive: true });
  rmSync(join(dataDir, FILE), { force: true });
  syncFolder(dataDir);
};
