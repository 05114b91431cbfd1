import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BrowserWindow, Menu, app, dialog, ipcMain, protocol, safeStorage, session, shell } from 'electron';
import { ok } from '../shared/result.ts';
import { askHost } from './shell/command-channel/ask-host.ts';
import { listenForCommands } from './shell/command-channel/listen.ts';
import { resolveDataDir } from './shell/data-dir.ts';
import { APP_PAGE, declareAppScheme, serveAppScheme } from './shell/electron/app-protocol.ts';
import { lockDownContents, lockDownSession } from './shell/electron/lock-down.ts';
import { forwardEvents, handleRequests, type OwnWindow } from './shell/electron/request-channels.ts';
import { safeStoragePort } from './shell/electron/safe-storage.ts';
import { windowOptions } from './shell/electron/window-preferences.ts';
import { endOnce } from './shell/end-once.ts';
import type { StartHost } from './shell/host-port.ts';
import { parseStartOptions } from './shell/start-options.mjs';
import { startHost } from './start-host.ts';

const rendererDir = fileURLToPath(new URL('../dist/renderer', import.meta.url));
const preload = fileURLToPath(new URL('../dist/electron/preload.cjs', import.meta.url));
const developmentNode = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const start: StartHost = startHost;

/** Chromium adds switches of its own to argv; only what start.mjs passed after `--` is ours. */
const ownArguments = (): readonly string[] => process.argv.slice(process.argv.indexOf('--') + 1 || process.argv.length);

process.umask(0o077);
const parsed = parseStartOptions(ownArguments(), process.env);
if (!parsed.ok) {
  process.stderr.write(`${parsed.message}\n`);
  process.exit(1);
}
const options = parsed.options;
const dataDir = resolveDataDir(options.dataDir);
app.setPath('userData', join(dataDir, 'electron'));
app.enableSandbox();
declareAppScheme(protocol);
const gestureOf = lockDownContents(app, shell);

let own: OwnWindow | null = null;
const openWindow = async (): Promise<void> => {
  if (own && !own.window.isDestroyed()) {
    if (own.window.isMinimized()) own.window.restore();
    return own.window.focus();
  }
  const window = new BrowserWindow(windowOptions(preload));
  own = { window, gesture: gestureOf(window.webContents) };
  window.once('ready-to-show', () => window.show());
  window.on('closed', () => {
    own = null;
  });
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason !== 'clean-exit' && !window.isDestroyed()) window.reload();
  });
  await window.loadURL(APP_PAGE);
};

/** The Electron shell, top to bottom: folder, protocol, channels, command channel, end, window and host side by side. */
const run = async (): Promise<void> => {
  await app.whenReady();
  Menu.setApplicationMenu(process.platform === 'darwin' ? Menu.getApplicationMenu() : null);
  const started = await start({
    dataDir,
    shell: 'electron',
    approvals: options.approvals,
    safeStorage: safeStoragePort(safeStorage),
    hostNode: app.isPackaged ? join(process.resourcesPath, 'node', process.platform === 'win32' ? 'node.exe' : 'node') : developmentNode,
    ...(options.language ? { language: options.language } : {}),
  });
  if (!started.ok) {
    const shown = started.error.code === 'instance_running' ? await askHost(dataDir, { kind: 'open' }) : null;
    if (!shown?.ok) dialog.showErrorBox('Gantry did not start', `${started.error.message}\n${started.error.remedy ?? ''}\n(${started.error.code})`);
    return app.exit(shown?.ok ? 0 : 1);
  }
  const host = started.value;
  lockDownSession(session.defaultSession);
  serveAppScheme(protocol, rendererDir);
  handleRequests(ipcMain, host, () => own);
  const stopEvents = forwardEvents(host, () => own);
  const open = async () => {
    await openWindow();
    return ok({ shown: 'window' });
  };
  const end = endOnce(async () => {
    stopEvents();
    await Promise.all([channel.close(), host.close()]);
    app.exit(0);
  });
  const channel = await listenForCommands({ host, dataDir, shell: 'electron', approvals: options.approvals, open, stop: () => end('stop') });
  app.on('before-quit', (event) => {
    event.preventDefault();
    end('quit');
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('activate', () => void openWindow());
  app.on('second-instance', () => void openWindow());
  await Promise.all([openWindow(), host.compose()]);
};

const failed = (error: unknown): void => {
  process.stderr.write(`Gantry did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  app.exit(1);
};
if (app.requestSingleInstanceLock()) run().catch(failed);
else app.exit(0);
