import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type * as Electron from 'electron';

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
  errors: [] as string[],
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
  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    this.#preferences = options.webPreferences ?? {};
    record.preferences.push(this.#preferences);
    record.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  readonly loadURL: Electron.BrowserWindow['loadURL'] = async (url) => {
    record.loaded.push(url);
    this.webContents.mainFrame = { url } as Electron.WebFrameMain;
    const preload = this.#preferences.preload ?? '';
    const require = createRequire(import.meta.url);
    delete require.cache[preload];
    require(preload);
    this.emit('ready-to-show');
  };
  readonly isDestroyed: Electron.BrowserWindow['isDestroyed'] = () => this.destroyed;
  readonly isMinimized: Electron.BrowserWindow['isMinimized'] = () => false;
  readonly restore: Electron.BrowserWindow['restore'] = () => {};
  readonly focus: Electron.BrowserWindow['focus'] = () => {};
  readonly show: Electron.BrowserWindow['show'] = () => {};
  readonly reload: Electron.BrowserWindow['reload'] = () => {};
}

class RecordedApp extends EventEmitter {
  readonly isPackaged: Electron.App['isPackaged'] = false;
  readonly whenReady: Electron.App['whenReady'] = () => Promise.resolve();
  readonly requestSingleInstanceLock: Electron.App['requestSingleInstanceLock'] = () => true;
  readonly setPath: Electron.App['setPath'] = (name, path) => void record.paths.set(name, path);
  readonly enableSandbox: Electron.App['enableSandbox'] = () => {
    record.sandboxed = true;
  };
  readonly quit: Electron.App['quit'] = () => void this.emit('before-quit', { preventDefault: () => {} });
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
export const Menu = { setApplicationMenu: (() => {}) satisfies typeof Electron.Menu.setApplicationMenu, getApplicationMenu: (() => null) satisfies typeof Electron.Menu.getApplicationMenu };
export const dialog: Pick<Electron.Dialog, 'showErrorBox'> = { showErrorBox: (title, content) => void record.errors.push(`${title}: ${content}`) };
export const shell: Pick<Electron.Shell, 'openExternal'> = { openExternal: async (url) => void record.external.push(url) };
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
