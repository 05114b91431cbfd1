import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { App } from 'electron';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { writeFileAtomically } from '../../market/write-file-atomically.ts';

/** Started by the system: no window, only the tray. */
export const HIDDEN_SWITCH = '--hidden';

/** One argument of an `Exec` key: quoted, with the reserved characters escaped (Desktop Entry Specification, "The Exec key"), and `%` doubled. */
const execArgument = (text: string): string => `"${text.replaceAll(/["`$\\]/g, (one) => `\\${one}`).replaceAll('%', '%%')}"`;
/** A string value: the backslash is its escape character. */
const stringValue = (text: string): string => text.replaceAll('\\', '\\\\');

/** The file that starts Gantry with a Linux desktop's session (Desktop Application Autostart Specification). */
export const autostartEntry = (command: readonly string[]): string =>
  ['[Desktop Entry]', 'Type=Application', 'Name=Gantry', `Exec=${stringValue(command.map(execArgument).join(' '))}`, 'Icon=gantry', 'Terminal=false', 'X-GNOME-Autostart-enabled=true', ''].join('\n');

/** Where that file lies: `$XDG_CONFIG_HOME/autostart`; a relative path there is to be ignored (XDG Base Directory Specification). */
export const autostartPath = (env: Readonly<Record<string, string | undefined>>, home: string): string => {
  const config = env['XDG_CONFIG_HOME'];
  return join(config?.startsWith('/') ? config : join(home, '.config'), 'autostart', 'gantry.desktop');
};

export interface LaunchAtLoginDeps {
  readonly app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly execPath: string;
}

/** Whether the system starts Gantry with the session: kept by the system, read from there each time, off until somebody switches it on. */
export class LaunchAtLogin {
  readonly #deps: LaunchAtLoginDeps;
  readonly #path: string;
  #on = false;

  constructor(deps: LaunchAtLoginDeps) {
    this.#deps = deps;
    this.#path = autostartPath(deps.env, deps.home);
  }

  /** As it was when it was last read. */
  get on(): boolean {
    return this.#on;
  }

  /** An AppImage is started by its own file: what it unpacks is gone with the process. */
  #command(): readonly string[] {
    return [this.#deps.env['APPIMAGE'] ?? this.#deps.execPath, HIDDEN_SWITCH];
  }

  async read(): Promise<boolean> {
    if (this.#deps.platform === 'linux') {
      const text = await readFile(this.#path, 'utf8').catch(() => '');
      this.#on = /^Exec=/m.test(text) && !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(text);
    } else this.#on = this.#deps.app.getLoginItemSettings(this.#deps.platform === 'win32' ? { args: [HIDDEN_SWITCH] } : {}).openAtLogin;
    return this.#on;
  }

  /** `internal` where the system refuses it; `details.path` is the file on Linux. */
  async set(on: boolean): Promise<Result<void, Fault>> {
    try {
      if (this.#deps.platform !== 'linux') this.#deps.app.setLoginItemSettings({ openAtLogin: on, ...(this.#deps.platform === 'win32' ? { args: [HIDDEN_SWITCH] } : {}) });
      else if (!on) await rm(this.#path, { force: true });
      else {
        await mkdir(dirname(this.#path), { recursive: true });
        await writeFileAtomically(this.#path, autostartEntry(this.#command()), 0o644);
      }
    } catch (error) {
      return err(fault('internal', `The system did not take it: ${error instanceof Error ? error.message : String(error)}`, { remedy: 'Set it in the settings of your system.', ...(this.#deps.platform === 'linux' ? { details: { path: this.#path } } : {}) }));
    }
    const now = await this.read();
    return now === on ? ok(undefined) : err(fault('internal', 'The system did not take it.', { remedy: 'Set it in the settings of your system (macOS: Login Items).' }));
  }
}
