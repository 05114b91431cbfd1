import { fileURLToPath } from 'node:url';
import type { Fault } from '../shared/fault.ts';
import { fault } from '../shared/fault.ts';
import { err, ok } from '../shared/result.ts';
import { askHost } from './shell/command-channel/ask-host.ts';
import { listenForCommands } from './shell/command-channel/listen.ts';
import { resolveDataDir } from './shell/data-dir.ts';
import { placeOfLink } from './shell/deep-link.ts';
import { endOnce } from './shell/end-once.ts';
import type { StartHost } from './shell/host-port.ts';
import { AppWindow } from './shell/loopback/app-window.ts';
import { findBrowser, hasDisplay } from './shell/loopback/browser.ts';
import { listenLoopback } from './shell/loopback/listen.ts';
import { quitWhenWindowless } from './shell/loopback/quit-when-windowless.ts';
import { PlaceSlot } from './shell/place-slot.ts';
import { withoutNpmFolders } from './shell/user-path.mjs';
import { START_HELP, parseStartOptions, type StartOptions } from './shell/start-options.mjs';
import { startHost } from './start-host.ts';

const rendererDir = fileURLToPath(new URL('../dist/renderer', import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const start: StartHost = startHost;

const giveUp = (why: Fault): never => {
  process.stderr.write(`Gantry did not start: ${why.message}${why.remedy ? ` ${why.remedy}` : ''} (${why.code})\n`);
  process.exit(1);
};

/** Another Gantry holds the folder: show its window, if a window is wanted. */
const showRunning = async (dataDir: string, why: Fault): Promise<void> => {
  const shown = await askHost(dataDir, { kind: 'open' });
  if (!shown?.ok) return giveUp(why);
  const printed = (shown.value as { shown?: string } | undefined)?.shown === 'printed';
  say(printed ? 'Gantry runs already, without a window: a new address was printed where it was started.' : 'Gantry runs already; its window is being shown.');
};

/** The loopback shell, top to bottom: folder, listener, command channel, window, host, end. What is asked before the host is whole waits for it. */
const serve = async (options: StartOptions): Promise<void> => {
  process.umask(0o077);
  process.env['PATH'] = withoutNpmFolders(process.env['PATH'] ?? '');
  const dataDir = resolveDataDir(options.dataDir);
  let tellPlace = (): void => {};
  const places = new PlaceSlot(() => tellPlace());
  const started = await start({ dataDir, shell: 'loopback', approvals: options.approvals, places, ...(options.language ? { language: options.language } : {}) });
  if (!started.ok) return started.error.code === 'instance_running' && options.open ? showRunning(dataDir, started.error) : giveUp(started.error);
  const host = started.value;
  tellPlace = () => host.bus.emit('shell:place', {});

  let tokenUsed = (): void => {};
  const listening = await listenLoopback({ host, rendererDir, port: options.port, onToken: () => tokenUsed() });
  if (!listening.ok) {
    await host.close();
    return giveUp(listening.error);
  }
  const loopback = listening.value;
  const browser = options.open && hasDisplay() ? findBrowser() : null;
  const window = browser ? new AppWindow({ browser, dataDir, newAddress: () => loopback.newAddress(), onExit: () => windowless.look() }) : null;

  const printAddress = (words: string): void => say(`${words}: ${loopback.newAddress(Number.POSITIVE_INFINITY)}`);
  const open = async (link?: string) => {
    if (link !== undefined) places.ask(placeOfLink(link));
    if (!window) {
      printAddress('Open this address in a browser');
      return ok({ shown: 'printed' });
    }
    return (await window.open()) ? ok({ shown: 'window' }) : err(fault('internal', 'The browser could not be started.', { details: { browser: browser?.path } }));
  };
  const end = endOnce(async () => {
    await Promise.all([window?.close(), channel.close(), loopback.close(), host.close()]);
  });
  const channel = await listenForCommands({ host, dataDir, shell: 'loopback', approvals: options.approvals, port: loopback.port, open, stop: () => end('stop') });
  const windowless = quitWhenWindowless({ windowCount: loopback.windowCount, browserRunning: () => window?.running ?? false, quit: () => end('the window was closed') });

  if (window) {
    tokenUsed = () => window.tokenUsed();
    if (process.getuid?.() === 0) process.stderr.write('Running as root: the browser window starts with --no-sandbox, because Chromium refuses its own sandbox to root.\n');
    if (await window.open()) {
      say(`Gantry is ready in its window: http://127.0.0.1:${loopback.port}/`);
      loopback.onWindows(() => windowless.look());
      return host.compose();
    }
  }
  tokenUsed = () => printAddress('An address opens one window. Address for a further window');
  if (options.open) say(`No window can be opened here: ${!hasDisplay() ? 'there is no display' : browser ? 'the browser did not start' : 'no Chrome, Chromium, Edge or Brave was found'}. Open this address in a browser:`);
  printAddress('Gantry is ready');
  return host.compose();
};

const parsed = parseStartOptions(process.argv.slice(2), process.env);
if (!parsed.ok) giveUp(fault('invalid_request', parsed.message, { remedy: 'See --help.' }));
else if (parsed.options.help) say(START_HELP);
else
  serve(parsed.options).catch((error: unknown) => {
    process.stderr.write(`Gantry did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  });
