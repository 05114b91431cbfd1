import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Browser } from './browser.ts';
import { removeRedirectFiles, writeRedirectFile } from './redirect-file.ts';

const CLOSE_WITHIN_MS = 3_000;

/** Quiet: no first-run pages, no background network, no other profile. */
const QUIET_FLAGS = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-background-mode',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication',
  '--metrics-recording-only',
  '--no-pings',
  '--password-store=basic',
];

/** Chromium's own sandbox refuses to run as root. */
export const browserArguments = (profile: string, redirectUrl: string, isRoot: boolean): readonly string[] => [
  `--app=${redirectUrl}`,
  `--user-data-dir=${profile}`,
  '--window-size=1320,880',
  ...QUIET_FLAGS,
  ...(isRoot ? ['--no-sandbox', '--test-type'] : []),
];

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // already gone
  }
};

/** The app-mode browser window of the loopback shell, with a profile folder of its own. */
export class AppWindow {
  readonly #browser: Browser;
  readonly #folder: string;
  readonly #newAddress: () => string;
  readonly #onExit: () => void;
  readonly #children = new Set<ChildProcess>();

  constructor(options: { readonly browser: Browser; readonly dataDir: string; readonly newAddress: () => string; readonly onExit: () => void }) {
    this.#browser = options.browser;
    // a confined browser cannot read dot folders such as ~/.local: its own common folder is the one both can reach
    this.#folder = options.browser.confined ? join(homedir(), 'snap', basename(options.browser.path), 'common', 'gantry') : join(options.dataDir, 'browser');
    this.#newAddress = options.newAddress;
    this.#onExit = options.onExit;
    removeRedirectFiles(this.#folder);
  }

  get running(): boolean {
    return this.#children.size > 0;
  }

  /** Resolves true when the browser started. */
  open(): Promise<boolean> {
    const file = writeRedirectFile(this.#folder, this.#newAddress());
    const args = browserArguments(join(this.#folder, 'profile'), pathToFileURL(file).href, process.getuid?.() === 0);
    const child = spawn(this.#browser.path, args, { detached: process.platform !== 'win32', stdio: 'ignore' });
    return new Promise((resolve) => {
      child.once('spawn', () => {
        this.#children.add(child);
        resolve(true);
      });
      child.once('error', () => {
        rmSync(file, { force: true });
        resolve(false);
      });
      child.once('exit', () => {
        this.#children.delete(child);
        this.#onExit();
      });
    });
  }

  /** The token was used: the files that carried it go. */
  tokenUsed(): void {
    removeRedirectFiles(this.#folder);
  }

  /** Ends the browser and its whole process group within 3 s. */
  async close(): Promise<void> {
    removeRedirectFiles(this.#folder);
    const children = [...this.#children];
    for (const child of children) signalGroup(child, 'SIGTERM');
    const deadline = performance.now() + CLOSE_WITHIN_MS;
    while (this.#children.size > 0 && performance.now() < deadline) await sleep(25);
    for (const child of children) signalGroup(child, 'SIGKILL');
  }
}
