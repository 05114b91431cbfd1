import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { ConfigValue, Placeholders, ServerSpec, ServerState } from '../../shared/server.ts';
import { Bus } from '../bus.ts';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { plainPoolNetwork } from '../network/plain-network.fixture.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { insertServer, readServer } from '../store/servers.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import { ServerPool } from './pool.ts';
import type { ServerPoolDeps, ToolCall } from './pool-deps.ts';
import type { ToolAnswer } from './wire-answer.ts';
import type { WireOutcome } from './wire-outcome.ts';

export const REPO = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const PLAYER = join(REPO, 'e2e/fixtures/fake-server.mjs');
const SHARED = process.env['GANTRY_SHARED'] ?? resolve(REPO, '../shared');
export const CASES_FILE = join(SHARED, 'cases/cases.json');
export const hasCases = existsSync(CASES_FILE);

export const ECHO = { name: 'echo', description: 'fixture echo tool', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } };

export interface Recorded {
  readonly t: number;
  readonly pid: number;
  readonly ev: string;
  readonly text?: string;
  readonly msg?: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown>; readonly result?: unknown; readonly error?: { readonly code: number } };
  readonly [key: string]: unknown;
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const until = async <T>(read: () => T | null | undefined | false, limitMs = 90_000, what = 'condition'): Promise<T> => {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = read();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`${what} did not come true within ${limitMs} ms`);
    await sleep(20);
  }
};

export const isAlive = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0] !== 'Z';
  } catch {
    return false;
  }
};

/** Live processes that were started by this test file's pools: found by their data folder's token in the environment. */
export const census = (mark: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return isAlive(Number(pid)) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    })
    .map(Number);

type Scenario = Record<string, unknown>;

export const createHarness = (options: Partial<ServerPoolDeps> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-pool-'));
  const store = options.store ?? openTestStore();
  const bus = new Bus();
  const discovered: DiscoveredLists[] = [];
  const left: { serverId: string; reason: string }[] = [];
  const states = new Map<string, ServerState[]>();
  const secrets = new Map<string, string>();
  const endpoints: ChildProcess[] = [];
  const pool = new ServerPool({
    store,
    bus,
    clock: systemClock,
    secrets: {
      reveal: (ref) => (secrets.has(ref) ? ok(secrets.get(ref)!) : err(fault('secret_store_locked', 'locked'))),
      put: ({ serverId, place, value }) => {
        secrets.set(`${serverId} ${place}`, value);
        return ok(`${serverId} ${place}`);
      },
      remove: (ref) => void secrets.delete(ref),
    },
    log: silentLog,
    dataDir,
    hostNode: process.execPath,
    network: plainPoolNetwork(),
    verifyInstallation: () => Promise.resolve(ok(undefined)),
    onDiscovered: (lists) => {
      discovered.push(lists);
      return Promise.resolve();
    },
    onSourceLeft: (serverId, reason) => left.push({ serverId, reason }),
    ...options,
  });
  bus.on('server:changed', ({ server }) => states.set(server.id, [...(states.get(server.id) ?? []), server.status]));
  const mark = `GANTRY_TEST_MARK=${dataDir}`;

  const add = (serverId: string, spec: ServerSpec, extra: { env?: Record<string, ConfigValue>; headers?: Record<string, ConfigValue>; placeholders?: Placeholders; home?: 'own' | 'user'; consented?: boolean; enabled?: boolean; marketEntryId?: string } = {}): void => {
    store.write((db) =>
      insertServer(db, {
        id: serverId,
        name: serverId,
        spec,
        args: [],
        env: { GANTRY_TEST_MARK: { plain: dataDir }, ...extra.env },
        headers: extra.headers ?? {},
        placeholders: extra.placeholders ?? null,
        home: extra.home ?? 'user',
        enabled: extra.enabled ?? true,
        required: false,
        era: null,
        eraAt: null,
        marketEntryId: extra.marketEntryId ?? null,
        quarantinedAt: null,
        consentedFingerprint: null,
        createdAt: Date.now(),
      }),
    );
    if (extra.consented !== false) consent(serverId);
  };
  const consent = (serverId: string): void => {
    const fingerprint = pool.launches.of(serverId)!.fingerprint;
    store.write((db) => db.run('UPDATE servers SET consented_fingerprint = ? WHERE id = ?', [fingerprint, serverId]));
  };
  const recordFile = (serverId: string): string => join(dataDir, `${serverId}.record`);
  const records = (serverId: string): Recorded[] => {
    try {
      return readFileSync(recordFile(serverId), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded);
    } catch {
      return [];
    }
  };
  const playerArgs = (serverId: string, scenario: Scenario | string, name = 'srv'): string[] => {
    if (typeof scenario === 'string') return [PLAYER, CASES_FILE, scenario, name];
    const file = join(dataDir, `${serverId}.cases.json`);
    writeFileSync(file, JSON.stringify([{ id: 'X', reproduction: { servers: { srv: scenario } } }]));
    return [PLAYER, file, 'X', 'srv'];
  };
  /** A scripted stdio server: the id of a shared case, or a scenario. */
  const addFake = (serverId: string, scenario: Scenario | string, extra: Parameters<typeof add>[2] & { name?: string } = {}): void =>
    add(serverId, { kind: 'command', command: process.execPath, args: playerArgs(serverId, scenario, extra.name) }, { ...extra, env: { FAKE_MCP_RECORD: { plain: recordFile(serverId) }, FAKE_MCP_RECORD_RAW: { plain: '1' }, ...extra.env } });
  /** A scripted HTTP or SSE endpoint; resolves with its base address. */
  const serveFake = (serverId: string, scenario: Scenario | string, name = 'srv'): Promise<string> => serve(playerArgs(serverId, scenario, name), { FAKE_MCP_RECORD: recordFile(serverId), FAKE_MCP_RECORD_RAW: '1' });
  /** A script that prints its address as LISTEN on stderr. */
  const serve = (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
    const child = spawn(process.execPath, [...args], { env: { ...process.env, ...env, GANTRY_TEST_MARK: dataDir }, stdio: ['ignore', 'ignore', 'pipe'] });
    endpoints.push(child);
    return new Promise((done) => child.stderr!.on('data', (text: Buffer) => /LISTEN (\S+)/.test(String(text)) && done(/LISTEN (\S+)/.exec(String(text))![1]!)));
  };
  const callAny = (serverId: string, toolName: string, args: object | string, extra: Partial<ToolCall> = {}): Promise<ToolAnswer> =>
    pool.callTool({ serverId, toolName, frozenArguments: typeof args === 'string' ? args : JSON.stringify(args), timeoutMs: 10_000, maxTotalMs: 60_000, ...extra });
  const call = async (...of: Parameters<typeof callAny>): Promise<WireOutcome> => {
    const answer = await callAny(...of);
    if (answer.kind === 'task') throw new Error(`a task: ${JSON.stringify(answer.state)}`);
    return answer;
  };
  const close = async (): Promise<void> => {
    await pool.close();
    for (const child of endpoints) child.kill('SIGKILL');
    await Promise.all(endpoints.map((child) => (child.exitCode === null && child.signalCode === null ? new Promise((done) => child.once('exit', done)) : null)));
  };
  return {
    pool, store, bus, dataDir, mark, discovered, left, states, secrets, endpoints, add, addFake, playerArgs, serveFake, serve, consent, records, recordFile, call, callAny, close,
    row: (serverId: string) => store.read((db) => readServer(db, serverId)),
    starts: (serverId: string) => records(serverId).filter((r) => r.ev === 'start'),
    census: () => census(mark),
  };
};
export type Harness = ReturnType<typeof createHarness>;

export const textOf = (outcome: WireOutcome): string => {
  if (outcome.kind !== 'result') throw new Error(`no result: ${JSON.stringify(outcome).slice(0, 600)}`);
  return ((outcome.raw as { content: { text: string }[] }).content[0] ?? { text: '' }).text;
};
