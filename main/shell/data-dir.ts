import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The folder a user of this platform expects: XDG on Linux, Application Support on macOS, Roaming on Windows. */
export const defaultDataDir = (platform: NodeJS.Platform = process.platform, env: Env = process.env, home: string = homedir()): string => {
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Gantry');
  if (platform === 'win32') return win32.join(env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), 'Gantry');
  const xdg = env['XDG_DATA_HOME'];
  // the XDG base directory specification: a relative path is ignored
  return posix.join(xdg?.startsWith('/') ? xdg : posix.join(home, '.local', 'share'), 'gantry');
};

export const resolveDataDir = (given: string | undefined, env: Env = process.env): string => resolve(given ?? (env['GANTRY_DATA_DIR'] || defaultDataDir(process.platform, env)));
