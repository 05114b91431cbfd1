// Plain JavaScript without packages: finds Chromium and a font with Chinese for the journeys, or gets them through the system's packages.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'];
const PLACES = {
  darwin: ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', 'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe'],
};

const runs = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of a Chromium or null. GANTRY_CHROMIUM names one outright. */
export const findChromium = (env = process.env, platform = process.platform) => {
  if (env.GANTRY_CHROMIUM) return runs(env.GANTRY_CHROMIUM) ? env.GANTRY_CHROMIUM : null;
  const onPath = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const places = [...NAMES.flatMap((name) => [join('/usr/bin', name), ...onPath.map((folder) => join(folder, name))]), ...(PLACES[platform] ?? [])];
  return places.find(runs) ?? null;
};

const hasChineseFont = () => {
  if (process.platform !== 'linux') return true;
  const listed = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return listed.status === 0 && listed.stdout.trim() !== '';
};

const aptInstall = (packages, log) => {
  log(`Installing ${packages.join(' and ')} through apt-get.`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = () => spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: ['ignore', 2, 2], env, timeout: 600_000 }).status === 0;
  if (install()) return true;
  spawnSync('apt-get', ['update'], { stdio: ['ignore', 2, 2], env, timeout: 300_000 });
  return install();
};

/** The browser's path, or null after one sentence that says what to install. */
export const ensureBrowser = (log) => {
  const missing = [...(findChromium() ? [] : ['chromium']), ...(hasChineseFont() ? [] : ['fonts-noto-cjk'])];
  if (missing.length === 0) return findChromium();
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (mayInstall) aptInstall(missing, log);
  const chromium = findChromium();
  if (!chromium) log('No Chromium was found: install Chromium or Google Chrome, or name one in GANTRY_CHROMIUM, to run the journeys.');
  else if (!hasChineseFont()) log('No font with Chinese was found: install fonts-noto-cjk, or pictures of the Chinese screens show boxes.');
  return chromium;
};
