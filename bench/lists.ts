import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { fillFolder } from '../e2e/fixtures/full-folder/fill.ts';
import { FULL } from '../e2e/fixtures/full-folder/sizes.ts';
import { createHost, type Host } from '../main/host.ts';
import { listenLoopback } from '../main/shell/loopback/listen.ts';
import { ensureBuilt } from '../main/shell/setup.mjs';
import { longestTurn } from './longest-block.ts';
import { quantile, type Row } from './table.ts';

const WINDOW = { kind: 'window', canDecide: true } as const;
const AIM_MS = 50;
const root = fileURLToPath(new URL('..', import.meta.url));
const OTHER = 'agent:bench';

/** With the text that goes to a window, and after one turn that warms up. */
const blockOf = async (host: Host, name: string, input: unknown): Promise<number> => {
  const ask = async (): Promise<void> => {
    const answer = await host.handle(name, input, WINDOW);
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.message}`);
    JSON.stringify(answer);
  };
  await ask();
  return longestTurn(ask);
};

const hostRows = async (host: Host, longRunId: string): Promise<Row[]> => {
  const listed = await host.handle('capabilities:rows', {}, WINDOW);
  const capabilityIds = listed.ok ? (listed.value as { rows: { id: string }[] }).rows.map((row) => row.id) : [];
  const questions: readonly (readonly [string, string, unknown])[] = [
    ['health', 'health:status', {}],
    ['200 servers', 'servers:list', {}],
    ['the server with 5,000 tools', 'servers:get', { serverId: 'large' }],
    ['a page of 10,000 capabilities, by words', 'capabilities:rows', { words: 'invoice samples', limit: 100 }],
    ['a page of 4,700 runs', 'runs:list', { offset: 0 }],
    ['runs by words over 100,000 calls', 'runs:list', { offset: 0, words: 'invoice' }],
    ['runs of the server with half of the calls', 'runs:list', { offset: 0, serverId: 'large', standing: 'unclear' }],
    ['calls 300 to 350 of a run', 'runs:calls', { runId: longRunId, offset: 300, limit: 50 }],
    ['the whole run of 2,700 events', 'runs:get', { runId: longRunId }],
    ['700 approvals', 'approvals:page', { of: 'pending', limit: 5000 }],
  ];
  const rows: Row[] = [];
  const row = (what: string, gantry: number): Row => ({ what: `lists, longest block of the host: ${what}`, unit: 'ms', gantry, aim: `at most ${AIM_MS}`, met: gantry <= AIM_MS });
  for (const [what, name, input] of questions) rows.push(row(what, await blockOf(host, name, input)));
  for (const allowed of [true, false]) {
    const block = await longestTurn(async () => {
      const set = await host.handle('access:set', { principal: OTHER, capabilityIds, allowed }, WINDOW);
      if (!set.ok) throw new Error(set.error.message);
    });
    rows.push(row(`${allowed ? 'allowing' : 'withdrawing'} 10,000 at once`, block));
  }
  return rows;
};

interface Watched {
  readonly longestTask: number;
  readonly frames: readonly number[];
}

/** In the page: tasks over 50 ms as the browser reports them, and the time between frames, while `act` runs. */
const watch = async (page: Page, act: () => Promise<void>): Promise<Watched> => {
  await page.evaluate(() => {
    const seen = { tasks: [] as number[], frames: [] as number[], going: true };
    Object.assign(window, { seen });
    const observer = new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const frame = (now: number): void => {
      seen.frames.push(now - last);
      last = now;
      if (seen.going) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await act();
  return page.evaluate(() => {
    const { seen } = window as unknown as { seen: { tasks: number[]; frames: number[]; going: boolean } };
    seen.going = false;
    return { longestTask: Math.max(0, ...seen.tasks), frames: seen.frames.slice(1) };
  });
};

/** From end to end in 120 steps of one frame each. */
const scrollThrough = (page: Page, selector: string): Promise<void> =>
  page.evaluate(async (wanted) => {
    const element = [...document.querySelectorAll(wanted)].find((one) => one.scrollHeight > one.clientHeight + 1) ?? document.getElementById('main')!;
    const end = element.scrollHeight - element.clientHeight;
    for (let step = 0; step <= 120; step += 1) {
      element.scrollTop = (end * step) / 120;
      await new Promise((next) => requestAnimationFrame(next));
    }
  }, selector);

const PAGES: readonly { readonly what: string; readonly place: (longRunId: string) => string; readonly ready: string; readonly scroller: string }[] = [
  { what: 'capabilities (10,000)', place: () => '#/capabilities', ready: '[role=grid] [role=switch], [role=grid] input', scroller: '[role=grid] [role=rowgroup]' },
  { what: 'a server with 5,000 tools', place: () => '#/servers/large', ready: '[role=table] a', scroller: '#main' },
  { what: 'servers (200)', place: () => '#/servers', ready: 'main tbody a', scroller: '#main' },
  { what: 'runs (4,700)', place: () => '#/runs', ready: '[role=grid] a', scroller: '[role=grid] [role=rowgroup]' },
  { what: 'a run of 400 calls', place: (id) => `#/runs/${id}`, ready: 'main ol li button', scroller: 'main ol' },
  { what: 'approvals (700)', place: () => '#/approvals', ready: 'main li button', scroller: '[role=grid] [role=rowgroup]' },
];

/** The same rows as one plain table, as a page without this would draw them: from asking to the frame that shows it. */
const plainTable = async (page: Page, count: number): Promise<number> => {
  await page.goto('about:blank');
  return (
    await watch(page, () =>
      page.evaluate(async (rows) => {
        const table = document.createElement('table');
        document.body.append(table);
        table.innerHTML = Array.from({ length: rows }, (_, at) => `<tr><td><a href="#${at}">tool_${at}</a></td><td><span>read only</span></td><td>checked</td><td>ready</td><td><input type="checkbox"></td></tr>`).join('');
        await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 50)));
      }, count),
    )
  ).longestTask;
};

const windowRows = async (host: Host, longRunId: string): Promise<Row[]> => {
  const listening = await listenLoopback({ host, rendererDir: join(root, 'dist', 'renderer'), port: 0, onToken: () => {} });
  if (!listening.ok) throw new Error(listening.error.message);
  const browser = await chromium.launch({ executablePath: process.env['GANTRY_CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(listening.value.newAddress());
    await page.getByRole('main').waitFor();
    const rows: Row[] = [];
    for (const { what, place, ready, scroller } of PAGES) {
      const open = async (): Promise<number> => {
        const start = performance.now();
        await page.evaluate((hash) => { location.hash = hash; }, place(longRunId));
        await page.locator(ready).first().waitFor();
        return performance.now() - start;
      };
      // the code of a page is loaded with its first visit
      await open();
      await page.evaluate(() => { location.hash = '#/guide'; });
      let firstMs = 0;
      const opened = await watch(page, async () => { firstMs = await open(); });
      const scrolled = await watch(page, () => scrollThrough(page, scroller));
      rows.push({ what: `lists, ${what}: to the first rows`, unit: 'ms', gantry: firstMs });
      rows.push({ what: `lists, ${what}: longest task while opening`, unit: 'ms', gantry: opened.longestTask, aim: `none over ${AIM_MS}`, met: opened.longestTask <= AIM_MS });
      rows.push({ what: `lists, ${what}: longest task while scrolling end to end`, unit: 'ms', gantry: scrolled.longestTask, aim: `none over ${AIM_MS}`, met: scrolled.longestTask <= AIM_MS });
      rows.push({ what: `lists, ${what}: p95 frame while scrolling`, unit: 'ms', gantry: quantile(scrolled.frames, 0.95) });
    }
    for (const [place, label] of [['#/capabilities', 'Name or description'], ['#/runs', 'Title, capability or id']] as const) {
      await page.evaluate((hash) => { location.hash = hash; }, place);
      const field = page.getByLabel(label);
      await field.waitFor();
      const typed = await watch(page, async () => {
        await field.pressSequentially('invoice', { delay: 60 });
        await page.waitForTimeout(500);
      });
      rows.push({ what: `lists, ${place.slice(2)}: longest task while a filter is typed`, unit: 'ms', gantry: typed.longestTask, aim: `none over ${AIM_MS}`, met: typed.longestTask <= AIM_MS });
      await field.fill('');
    }
    const first = rows.find((row) => row.what.includes('capabilities (10,000): longest task while opening'))!;
    const peer = await plainTable(page, FULL.capabilities);
    return rows.map((row) => (row === first ? { ...row, peer, peerName: 'one plain table' } : row));
  } finally {
    await browser.close();
    await listening.value.close();
  }
};

/** 200 servers, 10,000 capabilities, 100,000 calls in 4,700 runs: what each list costs the host's thread and the window's. 0 as a longest task: none over 50 ms. */
export const benchLists = async (): Promise<Row[]> => {
  await ensureBuilt({ root, log: (line) => process.stderr.write(`${line}\n`), target: 'renderer' });
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-lists-'));
  try {
    const begun = performance.now();
    const { longRunId } = await fillFolder(dataDir, FULL);
    const filledMs = performance.now() - begun;
    const created = await createHost({ dataDir, shell: 'test', approvals: 'window' });
    if (!created.ok) throw new Error(created.error.message);
    try {
      return [...(await hostRows(created.value, longRunId)), ...(await windowRows(created.value, longRunId)), { what: 'lists: filling the folder', unit: 'ms', gantry: filledMs }];
    } finally {
      await created.value.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
