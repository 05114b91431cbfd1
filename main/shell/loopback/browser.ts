import { accessSync, constants } from 'node:fs';
import { delimiter, join, posix, win32 } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** A browser that can show an app window (`--app`), and whether its package hides the user's dot folders from it (snap). */
export interface Browser {
  readonly path: string;
  readonly confined: boolean;
}

const LINUX_NAMES = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge', 'microsoft-edge-stable', 'brave-browser'];
const MAC_APPS = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser'];
const WINDOWS_TAILS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe', 'Chromium\\Application\\chrome.exe'];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where browsers of the Chromium family lie on this platform, best first. GANTRY_BROWSER names one outright. */
export const browserPlaces = (platform: NodeJS.Platform, env: Env): readonly string[] => {
  const named = env['GANTRY_BROWSER'];
  if (named) return [named];
  if (platform === 'darwin') return MAC_APPS.flatMap((app) => ['', env['HOME'] ?? ''].map((base) => posix.join(base || '/', 'Applications', `${app}.app`, 'Contents', 'MacOS', app)));
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']].filter((root): root is string => Boolean(root));
    return WINDOWS_TAILS.flatMap((tail) => roots.map((root) => win32.join(root, tail)));
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return LINUX_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
};

export const findBrowser = (platform: NodeJS.Platform = process.platform, env: Env = process.env): Browser | null => {
  const path = browserPlaces(platform, env).find(isExecutable);
  return path ? { path, confined: path.includes('/snap/') } : null;
};

/** On Linux a browser without a display shows nothing and ends at once. */
export const hasDisplay = (platform: NodeJS.Platform = process.platform, env: Env = process.env): boolean =>
  platform === 'darwin' || platform === 'win32' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
