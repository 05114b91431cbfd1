import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type * as Electron from 'electron';
import { desktop, dialog } from './recorder-desktop.ts';

export { Menu, Notification, Tray, dialog, nativeImage, nativeTheme, powerMonitor, screen } from './recorder-desktop.ts';

/**
 * Stands in for `electron` where the built main and preload are loaded under Node. It records what they do with it and lets a test
 * speak as the page, or as somebody else. Each part implements electron's own declaration of what is used.
 */
type Handler = Parameters<Electron.IpcMain['handle']>[1];

export const record = {
  schemes: [] as Electron.CustomScheme[],
  handlers: new Map<string, Handler>(),
  preferences: [] as Electron.WebPreferences[],
  exposed: new Map<string, unknown>(),
  paths: new Map<string, string>(),
  external: [] as string[],
  errors: dialog.errors,
  sandboxed: false,
  loaded: [] as string[],
  exitCode: null as number | null,
  permissionRequest: null as Parameters<Electron.Session['setPermissionRequestHandler']>[0],
  permissionCheck: null as Parameters<Electron.Session['setPermissionCheckHandler']>[0],
  deviceCheck: null as Parameters<Electron.Session['setDevicePermissionHandler']>[0],
  serveScheme: null as Parameters<Electron.Protocol['handle']>[1] | null,
  windows: [] as BrowserWindow[],
};

const inRenderer = new EventEmitter();
let nextContentsId = 1;

export class Contents extends EventEmitter {
  readonly id = nextContentsId++;
  mainFrame = { url: '' } as Electron.WebFrameMain;
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null;
  crashed = false;
  readonly isCrashed: Electron.WebContents['isCrashed'] = () => this.crashed;
  readonly setWindowOpenHandler: Electron.WebContents['setWindowOpenHandler'] = (handler) => {
    this.openHandler = handler;
  };
  readonly send: Electron.WebContents['send'] = (channel, ...args) => {
    inRenderer.emit(channel, {}, ...(structuredClone(args) as unknown[]));
  };
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new Contents();
  readonly #preferences: Electron.WebPreferences;
  destroyed = false;
  visible = false;
  focused = false;
  bounds: Electron.Rectangle;
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 0, height: options.height ?? 0 };
    this.#preferences = options.webPreferences ?? {};
    record.preferences.push(this.#preferences);
    record.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  readonly loadURL: Electron.BrowserWindow['loadURL'] = async (url) => {
    record.loaded.push(url);
    this.webContents.crashed = false;
    this.webContents.mainFrame = { url } as Electron.WebFrameMain;
    const preload = this.#preferences.preload ?? '';
    const require = createRequire(import.meta.url);
    delete require.cache[preload];
    require(preload);
    this.emit('ready-to-show');
  };
  readonly isDestroyed: Electron.BrowserWindow['isDestroyed'] = () => this.destroyed;
  readonly isMinimized: Electron.BrowserWindow['isMinimized'] = () => false;
  readonly isVisible: Electron.BrowserWindow['isVisible'] = () => this.visible;
  readonly isFocused: Electron.BrowserWindow['isFocused'] = () => this.focused;
  readonly isMaximized: Electron.BrowserWindow['isMaximized'] = () => false;
  readonly isFullScreen: Electron.BrowserWindow['isFullScreen'] = () => false;
  readonly getNormalBounds: Electron.BrowserWindow['getNormalBounds'] = () => this.bounds;
  readonly restore: Electron.BrowserWindow['restore'] = () => {};
  readonly maximize: Electron.BrowserWindow['maximize'] = () => {};
  readonly focus: Electron.BrowserWindow['focus'] = () => {
    this.focused = true;
    this.emit('focus');
  };
  readonly show: Electron.BrowserWindow['show'] = () => {
    this.visible = true;
  };
  readonly hide: Electron.BrowserWindow['hide'] = () => {
    this.visible = this.focused = false;
  };
  /** As a person closes it: what listens may keep it open. */
  readonly close: Electron.BrowserWindow['close'] = () => {
    let kept = false;
    this.emit('close', { preventDefault: () => (kept = true) });
    if (!kept) this.destroy();
  };
  readonly destroy: Electron.BrowserWindow['destroy'] = () => {
    this.destroyed = true;
    this.emit('closed');
    app.emit('window-all-closed');
  };
}

class RecordedApp extends EventEmitter {
  /** GANTRY_RECORD_PACKAGED: the resources folder of a package, whose contents are run */
  readonly isPackaged: Electron.App['isPackaged'] = process.env['GANTRY_RECORD_PACKAGED'] !== undefined;
  readonly getVersion: Electron.App['getVersion'] = () => '0.0.1';
  readonly getName: Electron.App['getName'] = () => 'gantry';
  readonly getLocale: Electron.App['getLocale'] = () => 'en-GB';
  readonly setAppUserModelId: Electron.App['setAppUserModelId'] = () => {};
  readonly setBadgeCount: Electron.App['setBadgeCount'] = (count) => (desktop.badge = count ?? 0) >= 0;
  readonly getLoginItemSettings: Electron.App['getLoginItemSettings'] = () => ({ openAtLogin: desktop.login.at(-1)?.openAtLogin ?? false }) as Electron.LoginItemSettings;
  readonly setLoginItemSettings: Electron.App['setLoginItemSettings'] = (settings) => void desktop.login.push(settings);
  readonly setAsDefaultProtocolClient: Electron.App['setAsDefaultProtocolClient'] = (scheme) => desktop.protocols.push(scheme) > 0;
  readonly whenReady: Electron.App['whenReady'] = () => Promise.resolve();
  readonly requestSingleInstanceLock: Electron.App['requestSingleInstanceLock'] = () => true;
  readonly setPath: Electron.App['setPath'] = (name, path) => void record.paths.set(name, path);
  readonly enableSandbox: Electron.App['enableSandbox'] = () => {
    record.sandboxed = true;
  };
  readonly quit: Electron.App['quit'] = () => {
    let kept = false;
    this.emit('before-quit', { preventDefault: () => (kept = true) });
    if (!kept) this.exit(0);
  };
  readonly exit: Electron.App['exit'] = (code) => {
    record.exitCode = code ?? 0;
    this.emit('recorded-exit');
  };
}
export const app = new RecordedApp();

export const ipcMain: Pick<Electron.IpcMain, 'handle'> = {
  handle(channel, handler) {
    if (record.handlers.has(channel)) throw new Error(`second handler for ${channel}`);
    record.handlers.set(channel, handler);
  },
};

/** Answers as Electron would: arguments and result are structured clones. */
export const invokeAs = async (sender: Pick<Electron.IpcMainInvokeEvent, 'sender' | 'senderFrame'>, channel: string, args: readonly unknown[]): Promise<unknown> => {
  const handler = record.handlers.get(channel);
  if (!handler) throw new Error(`No handler registered for '${channel}'`);
  return structuredClone(await handler(sender as Electron.IpcMainInvokeEvent, ...(structuredClone(args) as unknown[])));
};

export const ipcRenderer = {
  invoke: ((channel, ...args) => {
    const contents = record.windows.at(-1)?.webContents;
    return invokeAs({ sender: contents as unknown as Electron.WebContents, senderFrame: contents?.mainFrame ?? null }, channel, args);
  }) satisfies Electron.IpcRenderer['invoke'],
  on: inRenderer.on.bind(inRenderer),
};
export const contextBridge: Pick<Electron.ContextBridge, 'exposeInMainWorld'> = { exposeInMainWorld: (name, api: unknown) => void record.exposed.set(name, api) };
export const shell: Pick<Electron.Shell, 'openExternal' | 'openPath'> = {
  openExternal: async (url) => void record.external.push(url),
  openPath: async (path) => {
    record.external.push(path);
    return '';
  },
};
export const protocol: Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'> = {
  registerSchemesAsPrivileged: (schemes) => void record.schemes.push(...schemes),
  handle: (_scheme, handler) => {
    record.serveScheme = handler;
  },
};
export const session: { readonly defaultSession: Pick<Electron.Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'> } = {
  defaultSession: {
    setPermissionRequestHandler: (handler) => {
      record.permissionRequest = handler;
    },
    setPermissionCheckHandler: (handler) => {
      record.permissionCheck = handler;
    },
    setDevicePermissionHandler: (handler) => {
      record.deviceCheck = handler;
    },
  },
};
/** Like Linux without a key store. */
export const safeStorage: Pick<Electron.SafeStorage, 'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'> = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'basic_text',
  encryptString: (text) => Buffer.from(text),
  decryptString: (sealed) => sealed.toString(),
};
