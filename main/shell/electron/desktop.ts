import type { App, Dialog, Notification as ElectronNotification, NotificationConstructorOptions } from 'electron';
import { fault } from '../../../shared/fault.ts';
import { err, ok } from '../../../shared/result.ts';
import type { HealthStatus, Settings } from '../../../shared/settings.ts';
import type { ShellStatus } from '../../../shared/shell.ts';
import type { DesktopPort } from '../../requests/shell-requests.ts';
import type { HostPort } from '../host-port.ts';
import type { NoticeContent, ShownNotice } from './waiting-notices.ts';
import type { LaunchAtLogin } from './launch-at-login.ts';
import type { Question } from './quit-question.ts';
import type { FoundUpdater } from './open-updater.ts';
import type { Updates } from './updates.ts';

/** The tray acts for the person at the machine, as the window does; it decides no approval. */
const TRAY = { kind: 'window', canDecide: false } as const;

export const readHealth = async (host: HostPort): Promise<HealthStatus | null> => {
  const answer = await host.handle('health:status', {}, TRAY);
  return answer.ok ? (answer.value as HealthStatus) : null;
};

export const readSettings = async (host: HostPort): Promise<Settings | null> => {
  const answer = await host.handle('settings:get', {}, TRAY);
  return answer.ok ? (answer.value as { readonly settings: Settings }).settings : null;
};

export const actOnHost = (host: HostPort, name: 'calls:stopAll' | 'calls:resume' | 'updates:check'): void => void host.handle(name, {}, TRAY);
export const rememberExplained = (host: HostPort): void => void host.handle('settings:set', { closeToTrayExplained: true }, TRAY);

export interface DesktopParts {
  readonly login: LaunchAtLogin;
  readonly updates: Updates;
  readonly found: FoundUpdater;
  readonly updateFeed: string | null;
  readonly tray: () => boolean;
  readonly notify: () => boolean;
  /** shows a folder in the file manager; gives why not, or an empty text (Electron's shell.openPath) */
  readonly openPath: (path: string) => Promise<string>;
  /** the program can be started by the system: it is a package and no source folder */
  readonly packaged: boolean;
  /** closes the host, before an installer takes over */
  readonly end: () => Promise<void>;
}

/** What the Electron shell offers the host's requests. */
export const desktopPort = (parts: DesktopParts): DesktopPort => ({
  status: (): ShellStatus => ({
    kind: 'electron',
    can: { closeToTray: parts.tray(), notify: parts.notify(), launchAtLogin: parts.packaged, update: parts.updates.state.phase !== 'none', openFolder: true },
    launchAtLogin: parts.login.on,
    updateFeed: parts.updateFeed,
    update: parts.updates.state,
  }),
  useNetwork: (outbound) => {
    if (parts.found.updater) parts.found.over(outbound);
  },
  setLaunchAtLogin: (on) => parts.login.set(on),
  openFolder: async (path) => {
    const failure = await parts.openPath(path);
    return failure === '' ? ok(undefined) : err(fault('data_write_failed', `The file manager could not be opened: ${failure}.`, { remedy: 'Open the folder by its path.', details: { cause: 'file_manager' } }));
  },
  checkForUpdate: () => parts.updates.check(),
  downloadUpdate: () => parts.updates.download(),
  restartForUpdate: () => parts.updates.restart(parts.end),
});

/** Asks with a dialog of the system. Escape, Enter and a closed dialog choose the first button, which changes nothing. */
export const ask = async (dialog: Pick<Dialog, 'showMessageBox'>, question: Question): Promise<boolean> => {
  const { response } = await dialog.showMessageBox({ type: 'question', message: question.title, detail: question.detail, buttons: [...question.buttons], defaultId: 0, cancelId: 0, noLink: true });
  return response === 1;
};

/** Shows a notification without buttons: a click opens what it is about, and nothing on it decides. */
export const notifier =
  (make: (options: NotificationConstructorOptions) => ElectronNotification, onClick: (content: NoticeContent) => void) =>
  (content: NoticeContent): ShownNotice => {
    const notice = make({ title: content.title, body: content.body });
    notice.on('click', () => onClick(content));
    notice.show();
    return { close: () => notice.close() };
  };

/** The number beside the icon in the dock (macOS) or the launcher (Unity). */
export const showCount = (app: Pick<App, 'setBadgeCount'>, platform: NodeJS.Platform, count: number): void => {
  if (platform !== 'win32') app.setBadgeCount(count);
};
