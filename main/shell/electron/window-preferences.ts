import type { BrowserWindowConstructorOptions } from 'electron';

/** The window: its page is isolated from preload, sandboxed, and has no Node. */
export const windowOptions = (preload: string): BrowserWindowConstructorOptions & { readonly webPreferences: NonNullable<BrowserWindowConstructorOptions['webPreferences']> } => ({
  title: 'Gantry',
  width: 1320,
  height: 880,
  minWidth: 720,
  minHeight: 480,
  show: false,
  autoHideMenuBar: true,
  webPreferences: {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  },
});
