import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { createHost } from '../main/host.ts';
import { ensureBuilt } from '../main/shell/setup.mjs';
import { quantile, type Row } from './table.ts';

const SERVERS = 50;
const ROUNDS = 5;
const WINDOW = { kind: 'window', canDecide: true } as const;
const root = fileURLToPath(new URL('..', import.meta.url));

/** Fills a data folder by really connecting 50 servers with 100 tools each, once. */
const fill = async (dataDir: string): Promise<number> => {
  const created = await createHost({ dataDir, shell: 'test', approvals: 'window' });
  if (!created.ok) throw new Error(created.error.message);
  const host = created.value;
  const args = [fileURLToPath(new URL('./many-tools-server.mjs', import.meta.url))];
  for (let i = 0; i < SERVERS; i += 1) {
    const added = await host.handle('servers:add', { serverId: `load-${i}`, spec: { kind: 'command', command: process.execPath, args } }, WINDOW);
    if (!added.ok) throw new Error(added.error.message);
  }
  await Promise.all(Array.from({ length: SERVERS }, (_, i) => host.handle('servers:connect', { serverId: `load-${i}` }, WINDOW)));
  const list = await host.handle('capabilities:list', {}, WINDOW);
  await host.handle('settings:set', { onboardingDone: true }, WINDOW);
  await host.close();
  return list.ok ? (list.value as { capabilities: unknown[] }).capabilities.length : 0;
};

const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`host ended with ${code}: ${text}`)));
  });

/** As `npm start` does it, with what the start before has compiled. */
const startHost = (dataDir: string): ChildProcess =>
  spawn(process.execPath, ['dist/host/serve.cjs', '--no-open', '--data-dir', dataDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'gantry') },
  });

const end = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
};

/** Processor time of a process until now (Linux only), in ms. */
const processorMs = (pid: number | undefined): number => {
  if (process.platform !== 'linux' || pid === undefined) return Number.NaN;
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
};

interface Round {
  readonly addressMs: number;
  readonly windowMs: number;
  readonly hostCpuMs: number;
  /** files that the window fetched until then, and their size unpacked */
  readonly files: number;
  readonly filesMb: number;
}

/**
 * From the start of the host process to a usable window, all 50 servers starting meanwhile: the market, which is the first page, shows its entries, and a
 * click on Servers has brought all 50 rows, each with the figures of its tools. The browser is up already, and has no cache of the window.
 */
const round = async (dataDir: string, browser: Browser): Promise<Round> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const start = performance.now();
  const child = startHost(dataDir);
  try {
    const address = await addressOf(child);
    const addressMs = performance.now() - start;
    await page.goto(address);
    await page.getByRole('main').getByRole('link', { name: /environment/i }).or(page.getByRole('main').getByText(/environment/i)).first().waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Servers' }).click();
    await page.waitForFunction((count) => {
      const rows = [...document.querySelectorAll('main tbody tr')];
      return rows.length === count && rows.every((row) => /of 100/.test(row.lastElementChild?.textContent ?? ''));
    }, SERVERS);
    const windowMs = performance.now() - start;
    const hostCpuMs = processorMs(child.pid);
    const sizes = await page.evaluate(() => performance.getEntriesByType('resource').map((one) => (one as PerformanceResourceTiming).decodedBodySize));
    return { addressMs, windowMs, hostCpuMs, files: sizes.length, filesMb: sizes.reduce((sum, size) => sum + size, 0) / 1e6 };
  } finally {
    await context.close();
    await end(child);
  }
};

/** Least and median of several rounds: on a machine with other work the least says most. */
export const benchStart = async (): Promise<Row[]> => {
  for (const target of ['renderer', 'host'] as const) await ensureBuilt({ root, log: (line) => process.stderr.write(`${line}\n`), target });
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const capabilities = await fill(dataDir);
  const first = startHost(dataDir);
  await addressOf(first);
  await end(first);
  const browser = await chromium.launch({ executablePath: process.env['GANTRY_CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking'] });
  try {
    const rounds: Round[] = [];
    for (let i = 0; i < ROUNDS; i += 1) rounds.push(await round(dataDir, browser));
    const least = (of: keyof Round): number => Math.min(...rounds.map((one) => one[of]));
    const windowMs = least('windowMs');
    return [
      { what: `host start to its address, ${SERVERS} servers, ${capabilities} capabilities (least of ${ROUNDS})`, unit: 'ms', gantry: least('addressMs') },
      { what: 'the same to a usable window', unit: 'ms', gantry: windowMs, aim: 'at most 1500', met: windowMs <= 1500 },
      { what: 'the same, median', unit: 'ms', gantry: quantile(rounds.map((one) => one.windowMs), 0.5) },
      { what: 'processor time of the host until then', unit: 'ms', gantry: least('hostCpuMs') },
      { what: 'files that the window fetched until then', unit: 'count', gantry: least('files') },
      { what: 'their size', unit: 'MB', gantry: least('filesMb') },
    ];
  } finally {
    await browser.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
