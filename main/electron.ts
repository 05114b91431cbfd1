import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BrowserWindow, Menu, Notification, Tray as ElectronTray, app, dialog, ipcMain, nativeImage, nativeTheme, powerMonitor, protocol, safeStorage, screen, session, shell } from 'electron';
import { ok } from '../shared/result.ts';
import type { HealthStatus, Settings } from '../shared/settings.ts';
import type { Approval } from '../shared/approval.ts';
import type { Question } from '../shared/question.ts';
import { askHost } from './shell/command-channel/ask-host.ts';
import { listenForCommands } from './shell/command-channel/listen.ts';
import { resolveDataDir } from './shell/data-dir.ts';
import { LINK_SCHEME, linkIn, ownOptions, placeOfLink } from './shell/deep-link.ts';
import { appMenu } from './shell/electron/app-menu.ts';
import { declareAppScheme, serveAppScheme } from './shell/electron/app-protocol.ts';
import { WaitingNotices } from './shell/electron/waiting-notices.ts';
import { actOnHost, ask, desktopPort, notifier, readHealth, readSettings, rememberExplained, showCount } from './shell/electron/desktop.ts';
import { wordsFor } from './shell/electron/desktop-words.ts';
import { HIDDEN_SWITCH, LaunchAtLogin } from './shell/electron/launch-at-login.ts';
import { lockDownContents, lockDownSession } from './shell/electron/lock-down.ts';
import { MainWindow } from './shell/electron/main-window.ts';
import { openUpdater } from './shell/electron/open-updater.ts';
import { packagePlaces } from './shell/electron/package-places.ts';
import { onWindowClose, quitQuestion } from './shell/electron/quit-question.ts';
import { forwardEvents, handleRequests } from './shell/electron/request-channels.ts';
import { safeStoragePort } from './shell/electron/safe-storage.ts';
import { Tray } from './shell/electron/tray.ts';
import { trayContent, type TrayAct } from './shell/electron/tray-content.ts';
import { Updates } from './shell/electron/updates.ts';
import { endOnce } from './shell/end-once.ts';
import type { HostPort, StartHost } from './shell/host-port.ts';
import { PlaceSlot } from './shell/place-slot.ts';
import { parseStartOptions } from './shell/start-options.mjs';
import { startHost } from './start-host.ts';

const APP_ID = 'org.gantry.app';
const CHECK_EVERY_MS = 24 * 60 * 60_000;
const root = fileURLToPath(new URL('../', import.meta.url));
const { platform } = process;
const start: StartHost = startHost;

process.umask(0o077);
// Chromium adds switches of its own to argv, and a link may bring some: only what start.mjs passed after `--` is ours
const parsed = parseStartOptions(ownOptions(process.argv), process.env);
if (!parsed.ok) {
  process.stderr.write(`${parsed.message}\n`);
  process.exit(1);
}
const options = parsed.options;
const dataDir = resolveDataDir(options.dataDir);
app.setPath('userData', join(dataDir, 'electron'));
app.setAppUserModelId(APP_ID);
app.enableSandbox();
declareAppScheme(protocol);
const gestureOf = lockDownContents(app, shell);
const parts = packagePlaces({ root, packaged: app.isPackaged, resourcesPath: process.resourcesPath, platform });

// what is asked before the host is there waits here; the window takes it when it opens
let told = (): void => {};
const places = new PlaceSlot(() => told());
const showLink = (link: string): void => places.ask(placeOfLink(link));
app.on('open-url', (event, url) => {
  event.preventDefault();
  showLink(url);
});

/** The Electron shell, top to bottom: updater, folder, window, channels, tray, notifications, end; then window and host side by side. */
const run = async (): Promise<void> => {
  const link = linkIn(process.argv);
  if (link !== null) showLink(link);
  await app.whenReady();

  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const found = await openUpdater({ packaged: app.isPackaged, platform, env: process.env, manifest });
  const login = new LaunchAtLogin({ app, platform, env: process.env, home: homedir(), execPath: process.execPath });
  await login.read();
  let host: HostPort | null = null;
  let tray: Tray | null = null;
  const updates = new Updates({ updater: found.updater, ...(found.updater ? {} : { reason: found.reason }), now: Date.now, onChange: () => host?.bus.emit('shell:changed', { shell: desktop.status() }) });
  const desktop = desktopPort({ login, updates, found, updateFeed: found.updater ? found.feed.url : null, tray: () => tray !== null, notify: () => Notification.isSupported(), packaged: app.isPackaged, openPath: (path) => shell.openPath(path), end: () => close() });

  const started = await start({
    dataDir,
    shell: 'electron',
    approvals: options.approvals,
    safeStorage: safeStoragePort(safeStorage),
    hostNode: parts.hostNode,
    assetsDir: parts.assetsDir,
    licencesFile: parts.licencesFile,
    desktop,
    places,
    ...(options.language ? { language: options.language } : {}),
  });
  if (!started.ok) {
    const shown = started.error.code === 'instance_running' ? await askHost(dataDir, { kind: 'open', ...(link === null ? {} : { link }) }) : null;
    if (!shown?.ok) dialog.showErrorBox('Gantry did not start', `${started.error.message}\n${started.error.remedy ?? ''}\n(${started.error.code})`);
    return app.exit(shown?.ok ? 0 : 1);
  }
  const running = (host = started.value);
  // known once the host is whole; the window opens meanwhile
  let settings: Settings | null = null;
  let health: HealthStatus | null = null;
  const words = () => wordsFor(settings?.language ?? 'system', app.getLocale());

  let ending = false;
  let asking = false;
  const window = new MainWindow({
    create: (wanted) => new BrowserWindow(wanted),
    screen,
    preload: parts.preload,
    icon: platform === 'linux' ? join(parts.iconsDir, 'icon.png') : null,
    placePath: join(dataDir, 'window.json'),
    gestureOf,
    onClose: () => onWindowClose({ platform, closeToTray: settings?.closeToTray ?? false, trayShown: tray !== null, ending }),
    onHidden: () => void explainTray(),
    onQuit: () => app.quit(),
    onSeen: () => notices.seen(),
    askToReopen: () => ask(dialog, { title: words().crashedTitle, detail: words().crashedBody, buttons: [words().crashedLeave, words().crashedOpen] }),
    onSessionEnd: () => end('session-end'),
  });
  const explainTray = async (): Promise<void> => {
    if (settings?.closeToTrayExplained !== false) return;
    rememberExplained(running);
    await dialog.showMessageBox({ type: 'info', message: words().trayTitle, detail: words().trayBody, buttons: [words().understood], noLink: true });
  };

  lockDownSession(session.defaultSession);
  serveAppScheme(protocol, parts.rendererDir);
  handleRequests(ipcMain, running, () => window.own);
  const stopEvents = forwardEvents(running, () => window.own);
  told = () => {
    running.bus.emit('shell:place', {});
    void window.open();
  };

  const acts: Readonly<Record<TrayAct, () => void>> = {
    open: () => void window.open(),
    approvals: () => places.ask({ kind: 'approvals' }),
    questions: () => places.ask({ kind: 'questions' }),
    servers: () => places.ask({ kind: 'servers' }),
    stopAll: () => actOnHost(running, 'calls:stopAll'),
    resume: () => actOnHost(running, 'calls:resume'),
    quit: () => app.quit(),
  };
  const notices = new WaitingNotices({
    words,
    wanted: () => (settings?.notifyApprovals ?? false) && Notification.isSupported(),
    windowSeen: () => window.seen,
    show: notifier((wanted) => new Notification(wanted), ({ place }) => places.ask(place)),
  });
  const drawMenus = (): void => {
    Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu({ platform, words: words(), packaged: app.isPackaged, onSettings: () => places.ask({ kind: 'settings' }), onQuit: acts.quit })));
    tray?.show(trayContent(health, words()));
    showCount(app, platform, health ? health.awaitingApprovals + health.awaitingQuestions : 0);
  };
  try {
    tray = new Tray({ makeTray: (icon) => new ElectronTray(icon), makeMenu: (template) => Menu.buildFromTemplate(template), readImage: (path) => nativeImage.createFromPath(path), theme: nativeTheme, platform, iconsDir: parts.iconsDir, onAct: (act) => acts[act]() }, trayContent(health, words()));
  } catch (error) {
    process.stderr.write(`There is no tray: ${String(error)}\n`);
  }
  drawMenus();
  const reread = async (): Promise<void> => {
    [settings, health] = [await readSettings(running), await readHealth(running)];
    drawMenus();
  };
  const stopHearing = running.bus.onAny((name, payload) => {
    if (name === 'health:changed') health = payload as HealthStatus;
    else if (name === 'settings:changed') settings = (payload as { readonly settings: Settings }).settings;
    else if (name === 'host:replaced') return void reread();
    else if (name === 'approval:changed') return notices.changed((payload as { readonly approval: Approval }).approval);
    else if (name === 'question:changed') return notices.asked((payload as { readonly question: Question }).question);
    else return;
    drawMenus();
  });
  const look = (): void => {
    if (settings?.checkForUpdates && found.updater) actOnHost(running, 'updates:check');
  };
  const looking = setInterval(look, CHECK_EVERY_MS).unref();

  const close = async (): Promise<void> => {
    ending = true;
    clearInterval(looking);
    stopHearing();
    stopEvents();
    notices.close();
    await Promise.all([channel.close(), running.close()]);
    tray?.close();
  };
  const end = endOnce(async () => {
    await close();
    app.exit(0);
  });
  const quit = async (): Promise<void> => {
    if (asking || ending) return;
    asking = true;
    const now = await readHealth(running);
    const question = now ? quitQuestion(now, words()) : null;
    if (!question || (await ask(dialog, question))) end('quit');
    asking = false;
  };
  const open = async (wanted?: string) => {
    if (wanted === undefined) await window.open();
    else showLink(wanted);
    return ok({ shown: 'window' });
  };
  const channel = await listenForCommands({ host: running, dataDir, shell: 'electron', approvals: options.approvals, open, stop: () => end('stop') });

  let systemEnds = false;
  // asks the system for the moment that an orderly end takes; there is no question then, and no veto
  powerMonitor.on('shutdown', (event?: { preventDefault?(): void }) => {
    event?.preventDefault?.();
    systemEnds = true;
    end('shutdown');
  });
  app.on('before-quit', (event) => {
    // an installer that takes over, or the system that ends
    if (systemEnds || ending) return;
    event.preventDefault();
    void quit();
  });
  app.on('window-all-closed', () => {
    if (platform !== 'darwin' && !tray) app.quit();
  });
  app.on('activate', () => void window.open());
  app.on('second-instance', (_event, argv) => {
    const handed = linkIn(argv);
    if (handed === null) void window.open();
    else showLink(handed);
  });
  if (app.isPackaged && platform === 'win32') app.setAsDefaultProtocolClient(LINK_SCHEME, process.execPath, ['--']);
  const whole = async (): Promise<void> => {
    await running.compose();
    await reread();
    look();
  };
  await Promise.all([process.argv.includes(HIDDEN_SWITCH) && tray ? null : window.open(), whole()]);
};

const failed = (error: unknown): void => {
  process.stderr.write(`Gantry did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  app.exit(1);
};
if (app.requestSingleInstanceLock()) run().catch(failed);
else app.exit(0);
