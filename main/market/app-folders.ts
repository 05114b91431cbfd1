import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runTreeJob } from './run-tree-job.ts';

/** Where installed apps live in the data folder. Names that begin with a dot are never a server's (ids have no dot). */
export class AppFolders {
  readonly apps: string;
  readonly homes: string;
  readonly cache: string;

  constructor(dataDir: string) {
    this.apps = join(dataDir, 'apps');
    this.homes = join(dataDir, 'homes');
    this.cache = join(dataDir, 'cache', 'packages');
  }

  final(serverId: string): string {
    return join(this.apps, serverId);
  }
  home(serverId: string): string {
    return join(this.homes, serverId);
  }
  aside(serverId: string): string {
    return join(this.apps, `.aside-${serverId}`);
  }
  #homeMark(serverId: string): string {
    return join(this.apps, `.newhome-${serverId}`);
  }

  /** A new, empty folder for one installation, on the same volume as its final place. */
  makeStaging(serverId: string): string {
    mkdirSync(this.apps, { recursive: true, mode: 0o700 });
    const staging = join(this.apps, `.staging-${serverId}-${randomBytes(6).toString('hex')}`);
    mkdirSync(staging, { mode: 0o700 });
    return staging;
  }

  /** Makes the app's home for install scripts, marked as new until `keepHome`; false when it was there already. */
  makeHome(serverId: string): boolean {
    if (existsSync(this.home(serverId))) return false;
    writeFileSync(this.#homeMark(serverId), '', { mode: 0o600 });
    mkdirSync(this.home(serverId), { recursive: true, mode: 0o700 });
    return true;
  }
  keepHome(serverId: string): void {
    rmSync(this.#homeMark(serverId), { force: true });
  }
  async dropHome(serverId: string): Promise<void> {
    await remove(this.home(serverId));
    rmSync(this.#homeMark(serverId), { force: true });
  }

  /** Puts a finished installation in its place. A former one is moved away first and comes back when the move fails. */
  commit(serverId: string, staging: string): { readonly former: string | null } {
    const final = this.final(serverId);
    const former = existsSync(final) ? join(this.apps, `.old-${serverId}-${randomBytes(6).toString('hex')}`) : null;
    if (former !== null) renameSync(final, former);
    try {
      renameSync(staging, final);
    } catch (error) {
      if (former !== null) renameSync(former, final);
      throw error;
    }
    return { former };
  }

  /** The server id of a folder that this data folder owns; null for any other path, which must not be removed. */
  ownerOf(dir: string): string | null {
    const name = basename(dir);
    return dirname(dir) === this.apps && /^[a-z0-9][a-z0-9-]*$/.test(name) ? name : null;
  }

  installedIds(): readonly string[] {
    return this.#entries().filter((name) => !name.startsWith('.'));
  }

  /**
   * Clears what a crash left: half-done installs and their new homes are removed; a former version that was moved away
   * and not yet replaced comes back. Gives the names of what was removed or brought back.
   */
  async clearHalfDone(): Promise<readonly string[]> {
    const touched: string[] = [];
    for (const name of this.#entries()) {
      const former = /^\.old-(.+)-[0-9a-f]{12}$/.exec(name);
      if (former && !existsSync(this.final(former[1]!))) renameSync(join(this.apps, name), this.final(former[1]!));
      else if (former || /^\.staging-.+-[0-9a-f]{12}$/.test(name)) await remove(join(this.apps, name));
      else if (name.startsWith('.newhome-')) await this.dropHome(name.slice('.newhome-'.length));
      else continue;
      touched.push(name);
    }
    return touched;
  }

  #entries(): readonly string[] {
    return existsSync(this.apps) ? readdirSync(this.apps) : [];
  }
}

/** Removes a folder whole in a thread of its own: thousands of files would hold the host's thread, also when removed asynchronously. Throws when something stays. */
export const remove = async (path: string): Promise<void> => {
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  const removed = await runTreeJob('remove', { path });
  if (!removed.ok) throw new Error(removed.error.message);
};
