import type { Fault } from '../../../shared/fault.ts';
import { fault } from '../../../shared/fault.ts';
import { err, type Result } from '../../../shared/result.ts';
import type { Installation, ServerState } from '../../../shared/server.ts';
import type { Clock } from '../../clock.ts';
import type { Installer } from '../../market/installer.ts';
import type { ServerRow } from '../../store/servers.ts';

/** A server that is being installed, or whose installation failed: it has no row in the store yet. One that is updated has its former row there. */
export interface InstallJob {
  readonly row: ServerRow;
  state: ServerState;
}

/** Installations under way. What fails stays listed with its cause until it is removed or tried again; the store never sees it. */
export class InstallJobs {
  readonly #jobs = new Map<string, InstallJob & { readonly controller: AbortController; done: Promise<unknown> }>();
  readonly #deps: { readonly installer: Pick<Installer, 'install'>; readonly clock: Clock; readonly onChange: (serverId: string) => void };

  constructor(deps: { readonly installer: Pick<Installer, 'install'>; readonly clock: Clock; readonly onChange: (serverId: string) => void }) {
    this.#deps = deps;
  }

  get(serverId: string): InstallJob | null {
    return this.#jobs.get(serverId) ?? null;
  }

  list(): readonly InstallJob[] {
    return [...this.#jobs.values()];
  }

  /** Resolves when installed (the job is gone then) or failed (the job stays, unavailable). */
  async run(row: ServerRow, allowScripts: readonly string[], beforeReplace?: () => Promise<void>): Promise<Result<Installation, Fault>> {
    const present = this.#jobs.get(row.id);
    if (present?.state.state === 'installing') return err(fault('conflict', `${row.id} is being installed already`, { field: '/serverId', remedy: 'Wait, or stop that installation.', details: { state: 'installing' } }));
    const controller = new AbortController();
    const job = { row, state: { state: 'installing', step: 'resolve' } as ServerState, controller, done: Promise.resolve() as Promise<unknown> };
    this.#jobs.set(row.id, job);
    this.#deps.onChange(row.id);
    const work = this.#install(job, allowScripts, beforeReplace);
    job.done = work;
    const result = await work;
    if (result.ok) {
      this.#jobs.delete(row.id);
    } else {
      job.state = { state: 'unavailable', since: this.#deps.clock.now(), code: result.error.code, fault: result.error };
    }
    this.#deps.onChange(row.id);
    return result;
  }

  async #install(job: InstallJob & { readonly controller: AbortController }, allowScripts: readonly string[], beforeReplace: (() => Promise<void>) | undefined): Promise<Result<Installation, Fault>> {
    const { row, controller } = job;
    try {
      return await this.#deps.installer.install({
        serverId: row.id,
        spec: row.spec,
        allowScripts: [...allowScripts],
        signal: controller.signal,
        beforeReplace,
        onProgress: (step, done, total) => {
          job.state = { state: 'installing', step, ...(done === undefined ? {} : { done }), ...(total === undefined ? {} : { total }) };
          this.#deps.onChange(row.id);
        },
      });
    } catch (error) {
      return err(fault('install_failed', 'The installation failed inside Gantry.', { remedy: 'Try again; the log has the details.', details: { step: job.state.state, reason: error instanceof Error ? error.message : String(error) } }));
    }
  }

  /** Stops a running installation and waits until nothing of it is left. False where none runs. */
  async cancel(serverId: string): Promise<boolean> {
    const job = this.#jobs.get(serverId);
    if (!job || job.state.state !== 'installing') return false;
    job.controller.abort();
    await job.done;
    return true;
  }

  /** Takes a failed or cancelled job off the list. */
  forget(serverId: string): boolean {
    return this.#jobs.delete(serverId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#jobs.keys()].map((id) => this.cancel(id)));
  }
}
