import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServerIdSchema } from '../../shared/server.ts';
import type { Installation, ServerSpec } from '../../shared/server.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { ContactNote } from '../network/outbound.ts';
import { AppFolders, remove } from './app-folders.ts';
import { describeBuiltin } from './builtin-server.ts';
import { runInstallScripts } from './install-scripts.ts';
import { parsePackageRequest } from './package-request.ts';
import type { PackageRequest } from './package-request.ts';
import { registryFault } from './registry-fault.ts';
import type { RegistryWay } from './registry-source.ts';
import { cancelled, runTreeJob } from './run-tree-job.ts';

export interface InstallRequest {
  readonly serverId: string;
  readonly spec: ServerSpec;
  /** names of packages whose install scripts the user allows; all others stay off (M06) */
  readonly allowScripts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** before a former version is replaced, once the new one is whole: its process has to end by then */
  readonly beforeReplace?: (() => Promise<void>) | undefined;
  /** steps: resolve, download (done of total packages), extract, scripts, check, done */
  readonly onProgress?: ((step: string, done?: number, total?: number) => void) | undefined;
}

export interface VerifyReport {
  readonly restored: string[];
  /** files that did not belong there, moved to `apps/.aside-<id>` */
  readonly setAside: string[];
  readonly data: string[];
  readonly durationMs: number;
}

export interface InstallerOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly assetsDir?: string;
  /** the Node that install scripts see; in Electron the one the package carries */
  readonly hostNode?: string;
  /** asked anew for each installation, so that a changed setting or `.npmrc` counts at once */
  readonly way: () => Promise<Result<RegistryWay, Fault>>;
  readonly onContact?: (note: ContactNote) => void;
}

/** Installs pinned versions into the data folder, checks them before each start, and removes them whole. */
export class Installer {
  readonly #options: Required<InstallerOptions>;
  readonly #folders: AppFolders;
  readonly #installing = new Set<string>();
  readonly #verifying = new Map<string, Promise<Result<VerifyReport>>>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #pruning: Promise<void> = Promise.resolve();

  constructor(options: InstallerOptions) {
    this.#options = { assetsDir: fileURLToPath(new URL('../../assets', import.meta.url)), hostNode: process.execPath, onContact: () => {}, ...options };
    this.#folders = new AppFolders(options.dataDir);
  }

  /**
   * Errors: invalid_request (field), conflict, package_not_found, network_failed, integrity_mismatch, no_executable, install_cancelled,
   * install_failed (details.step), proxy_refused, certificate_untrusted. After any of them nothing of this installation is left, and a former version is as it was.
   */
  async install(request: InstallRequest): Promise<Result<Installation>> {
    const { serverId, spec } = request;
    if (!ServerIdSchema.safeParse(serverId).success) return err(fault('invalid_request', 'A server id has lower-case letters, digits and hyphens.', { field: 'serverId', remedy: 'Choose another id.' }));
    if (spec.kind === 'builtin') return describeBuiltin(this.#options.assetsDir, spec.name, this.#options.clock.now());
    if (spec.kind !== 'npm') return err(fault('invalid_request', 'Only built-in apps and npm packages are installed; commands and addresses run as they are.', { field: 'spec.kind', remedy: 'Add it without installing.' }));
    const parsed = parsePackageRequest(spec);
    if (!parsed.ok) return parsed;
    if (this.#installing.has(serverId)) return err(fault('conflict', 'This app is being installed already.', { remedy: 'Wait, or stop that installation.', details: { state: 'installing' } }));
    if (request.signal?.aborted) return cancelled();
    this.#installing.add(serverId);
    await this.#pruning;
    this.#active += 1;
    let result: Result<Installation>;
    try {
      result = await this.#installNpm(request, parsed.value);
    } finally {
      this.#active -= 1;
      this.#installing.delete(serverId);
    }
    if (!result.ok) await this.#prune();
    return result;
  }

  async #installNpm(request: InstallRequest, wanted: PackageRequest): Promise<Result<Installation>> {
    const { serverId, signal, onProgress = () => {} } = request;
    const allowed = new Set(request.allowScripts ?? []);
    const cacheDir = this.#folders.cache;
    let staging: string | null = null;
    let newHome = false;
    const way = await this.#options.way();
    if (!way.ok) return way;
    try {
      staging = this.#folders.makeStaging(serverId);
      const job = { dir: staging, cacheDir, request: wanted, ...way.value, binLinks: allowed.size > 0 };
      const built = await runTreeJob('build', job, { signal, onProgress, onContact: this.#options.onContact });
      if (!built.ok) return built;
      const packages = built.value.scripted.filter((one) => !one.bundled && allowed.has(one.package));
      if (packages.length > 0) {
        newHome = this.#folders.makeHome(serverId);
        let done = 0;
        const ran = await runInstallScripts({ dir: staging, packages, hostNode: this.#options.hostNode, home: this.#folders.home(serverId), signal, onStart: () => onProgress('scripts', ++done, packages.length) });
        if (!ran.ok) return ran;
      }
      onProgress('check');
      const seal = await runTreeJob('seal', { dir: staging, cacheDir }, { signal });
      if (!seal.ok) return seal;
      if (signal?.aborted) return cancelled();
      await request.beforeReplace?.();
      await this.#commit(serverId, staging);
      staging = null;
      newHome = false;
      onProgress('done');
      const dir = this.#folders.final(serverId);
      return ok({
        kind: 'npm',
        package: wanted.name,
        version: built.value.version,
        registry: built.value.registry,
        integrity: built.value.integrity,
        lockSha256: seal.value.lockSha256,
        dir,
        entry: join(dir, built.value.entry),
        sizeBytes: seal.value.sizeBytes,
        installedAt: this.#options.clock.now(),
        scripts: [...new Set(built.value.scripted.map((one) => one.package))].map((name) => ({ package: name, allowed: packages.some((one) => one.package === name) })),
      });
    } catch (error) {
      return err(registryFault(error, 'commit', wanted));
    } finally {
      if (staging !== null) await remove(staging);
      if (newHome) await this.#folders.dropHome(serverId);
    }
  }

  async #commit(serverId: string, staging: string): Promise<void> {
    const { former } = this.#folders.commit(serverId, staging);
    this.#folders.keepHome(serverId);
    if (former === null) return;
    const kept = await runTreeJob('carry', { former, current: this.#folders.final(serverId) });
    if (!kept.ok) return this.#options.log.error('data files of an app could not be carried over; its former folder is kept', { serverId, former, fault: kept.error });
    if (kept.value.length > 0) this.#options.log.info('data files of an app were kept over an update', { serverId, files: kept.value });
    await remove(former);
  }

  /**
   * Checks all files against the lock and puts them right. One check at a time per app, and at most one thread per processor.
   * Errors: integrity_mismatch (details.files), network_failed, package_not_found, install_failed.
   */
  verify(installation: Installation): Promise<Result<VerifyReport>> {
    const running = this.#verifying.get(installation.dir);
    if (running) return running;
    const started = this.#verify(installation).finally(() => this.#verifying.delete(installation.dir));
    this.#verifying.set(installation.dir, started);
    return started;
  }

  async #verify(installation: Installation): Promise<Result<VerifyReport>> {
    const startedAt = this.#options.clock.monotonic();
    const durationMs = (): number => Math.round(this.#options.clock.monotonic() - startedAt);
    if (installation.kind === 'builtin') {
      const now = describeBuiltin(this.#options.assetsDir, installation.package, installation.installedAt);
      if (!now.ok) return now;
      if (now.value.integrity === installation.integrity && now.value.lockSha256 === installation.lockSha256) return ok({ restored: [], setAside: [], data: [], durationMs: durationMs() });
      return err(fault('integrity_mismatch', `The built-in app ${installation.package} is not the one that was added.`, { remedy: 'After an update of Gantry: add it again. Otherwise install Gantry again.', details: { step: 'check', files: [now.value.entry] } }));
    }
    const serverId = this.#folders.ownerOf(installation.dir);
    if (serverId === null) return err(fault('integrity_mismatch', 'The recorded folder of this app is not one of this data folder.', { remedy: 'Remove the app and install it again.', details: { step: 'check' } }));
    if (this.#installing.has(serverId)) return err(fault('conflict', 'This app is being installed.', { remedy: 'Wait until it is done.', details: { state: 'installing' } }));
    await this.#pruning;
    await this.#enter();
    try {
      const { dir, lockSha256 } = installation;
      const checked = await runTreeJob('check', { dir, lockSha256 });
      if (!checked.ok) return checked;
      if (checked.value.clean) return ok({ restored: [], setAside: [], data: [...checked.value.data], durationMs: durationMs() });
      const way = await this.#options.way();
      if (!way.ok) return way;
      const job = {
        dir,
        lockSha256,
        cacheDir: this.#folders.cache,
        request: { name: installation.package, version: installation.version },
        integrity: installation.integrity,
        ...way.value,
        asideDir: join(this.#folders.aside(serverId), String(this.#options.clock.now())),
      };
      const result = await runTreeJob('restore', job, { onContact: this.#options.onContact });
      if (!result.ok) return result;
      const { restored, setAside, data } = result.value;
      if (restored.length + setAside.length > 0) this.#options.log.warn('files of an app were not as installed and were put right', { serverId, restored, setAside });
      return ok({ restored: [...restored], setAside: [...setAside], data: [...data], durationMs: durationMs() });
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#active >= Math.max(2, availableParallelism())) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active += 1;
  }

  #leave(): void {
    this.#active -= 1;
    this.#waiting.shift()?.();
  }

  /** Removes the app's folder, what was set aside of it, its downloads, and with `home` its own home folder. The server must have stopped. */
  async uninstall(installation: Installation, options: { readonly serverId?: string; readonly home?: boolean } = {}): Promise<void> {
    const serverId = installation.kind === 'npm' ? this.#folders.ownerOf(installation.dir) : (options.serverId ?? null);
    if (serverId === null) return;
    if (installation.kind === 'npm') {
      await remove(this.#folders.final(serverId));
      await remove(this.#folders.aside(serverId));
    }
    if (options.home && ServerIdSchema.safeParse(serverId).success) await remove(this.#folders.home(serverId));
    await this.#prune();
  }

  /** At start: removes half-done installations of a crash, and with `knownServerIds` also folders that no server row names. */
  async resumeCleanup(knownServerIds?: readonly string[]): Promise<void> {
    const touched = [...(await this.#folders.clearHalfDone())];
    if (knownServerIds) {
      for (const serverId of this.#folders.installedIds().filter((id) => !knownServerIds.includes(id))) {
        await remove(this.#folders.final(serverId));
        touched.push(serverId);
      }
    }
    if (touched.length === 0) return;
    this.#options.log.info('half-done installations were cleared', { folders: touched });
    await this.#prune();
  }

  /** Empties the download cache. False while an installation or a check uses it. What damaged files are mended from has to be fetched again then. */
  async clearDownloads(): Promise<boolean> {
    if (this.#active > 0) return false;
    this.#pruning = this.#pruning.then(() => remove(this.#folders.cache)).catch((error: unknown) => this.#options.log.warn('the download cache could not be emptied', { reason: String(error) }));
    await this.#pruning;
    return !existsSync(this.#folders.cache);
  }

  async #prune(): Promise<void> {
    if (this.#active > 0) return;
    this.#pruning = this.#pruning
      .then(() => runTreeJob('prune', { dataDir: this.#options.dataDir }))
      .then((pruned) => {
        if (!pruned.ok) this.#options.log.warn('the download cache could not be cleared', { reason: pruned.error.message });
      });
    await this.#pruning;
  }
}
