import type { AppUpdater } from 'electron-updater';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import type { UpdateState } from '../../../shared/shell.ts';

/** What is used of electron-updater. */
export type Updater = Pick<AppUpdater, 'checkForUpdates' | 'downloadUpdate' | 'quitAndInstall' | 'on'>;

export interface UpdatesDeps {
  /** null, with the reason, where this Gantry does not update itself */
  readonly updater: Updater | null;
  readonly reason?: Extract<UpdateState, { phase: 'none' }>['reason'];
  /** ms since epoch */
  readonly now: () => number;
  readonly onChange: () => void;
}

const wrongPhase = (state: UpdateState): Result<never, Fault> => err(fault('conflict', `The update is in the state ${state.phase}.`, { remedy: 'Check for updates first.', details: { state: state.phase } }));

/** Look, fetch, put in place: three acts of a person, each by itself. Nothing follows from another on its own. */
export class Updates {
  readonly #deps: UpdatesDeps;
  #state: UpdateState;

  constructor(deps: UpdatesDeps) {
    this.#deps = deps;
    this.#state = deps.updater ? { phase: 'idle', checkedAt: null } : { phase: 'none', reason: deps.reason ?? 'not_packaged' };
    deps.updater?.on('download-progress', ({ transferred, total }) => {
      if (this.#state.phase === 'downloading') this.#set({ ...this.#state, doneBytes: transferred, totalBytes: total });
    });
    // every failure is also thrown to whoever asked; an event without a listener would end the program
    deps.updater?.on('error', () => {});
  }

  get state(): UpdateState {
    return this.#state;
  }

  #set(state: UpdateState): void {
    this.#state = state;
    this.#deps.onChange();
  }

  #failed(step: 'check' | 'download' | 'install', error: unknown): Result<never, Fault> {
    const why = fault('update_failed', error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 300) : String(error), { remedy: 'Try again later.', details: { step } });
    this.#set({ phase: 'failed', fault: { ...why, details: { step } }, at: this.#deps.now() });
    return err(why);
  }

  /** Errors: update_failed. While something is on its way it changes nothing. */
  async check(): Promise<Result<void, Fault>> {
    const { updater } = this.#deps;
    if (!updater || this.#state.phase === 'checking' || this.#state.phase === 'downloading' || this.#state.phase === 'downloaded') return ok(undefined);
    this.#set({ phase: 'checking' });
    try {
      const found = await updater.checkForUpdates();
      const checkedAt = this.#deps.now();
      this.#set(found?.isUpdateAvailable ? { phase: 'available', version: found.updateInfo.version, checkedAt } : { phase: 'current', checkedAt });
      return ok(undefined);
    } catch (error) {
      return this.#failed('check', error);
    }
  }

  /** Errors: conflict where no check has found a version, update_failed where a file is not the one that the feed names. */
  async download(): Promise<Result<void, Fault>> {
    const { updater } = this.#deps;
    if (!updater || this.#state.phase !== 'available') return wrongPhase(this.#state);
    const { version } = this.#state;
    this.#set({ phase: 'downloading', version, doneBytes: 0, totalBytes: 0 });
    try {
      await updater.downloadUpdate();
      this.#set({ phase: 'downloaded', version });
      return ok(undefined);
    } catch (error) {
      return this.#failed('download', error);
    }
  }

  /** Ends the host by `end`, then hands over to the installer. Errors: conflict where nothing was fetched. */
  async restart(end: () => Promise<void>): Promise<Result<void, Fault>> {
    const { updater } = this.#deps;
    if (!updater || this.#state.phase !== 'downloaded') return wrongPhase(this.#state);
    await end();
    // loud on Windows, so that the person sees what goes on; started again afterwards
    updater.quitAndInstall(false, true);
    return ok(undefined);
  }
}
