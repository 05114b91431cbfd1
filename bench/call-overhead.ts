import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHost, type Host } from '../main/host.ts';
import { quantile, type Row } from './table.ts';

const WINDOW = { kind: 'window', canDecide: true } as const;
/** The compiler of a host that has just started is still at work; what is measured is one that runs. */
const WARM_UP = 1000;
/** The figure is the median round's: one spell of the machine hits a round, not the figure. 30 calls a round lie above its p95. */
const ROUNDS = 5;
const CALLS = 600;
export const CONDITIONS = `calls: ${WARM_UP} of each kind to warm up, then the median of ${ROUNDS} rounds of ${CALLS} of each kind, in turn`;

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

const request = async <T>(host: Host, name: string, input: unknown): Promise<T> => {
  const answer = await host.handle(name, input, WINDOW);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.message}`);
  return answer.value as T;
};

const bareClient = async (): Promise<Client> => {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [everything, 'stdio'], stderr: 'ignore' }));
  return client;
};

interface Round {
  readonly bare: number[];
  readonly governed: number[];
}

/** The same call, bare and governed in turn, so that the machine's moods hit both. */
const series = async (bare: () => Promise<unknown>, governed: () => Promise<unknown>): Promise<readonly Round[]> => {
  const rounds: Round[] = [];
  for (const [round, calls] of [WARM_UP, ...Array<number>(ROUNDS).fill(CALLS)].entries()) {
    const times: Round = { bare: [], governed: [] };
    for (let i = 0; i < calls; i += 1) {
      for (const [kind, call] of i % 2 === 0 ? ([['bare', bare], ['governed', governed]] as const) : ([['governed', governed], ['bare', bare]] as const)) {
        const start = performance.now();
        await call();
        times[kind].push(performance.now() - start);
      }
    }
    if (round > 0) rounds.push(times);
  }
  return rounds;
};

/** Governed `echo` of server-everything over stdio, read only and as a write with durable rows, against the bare SDK client. */
export const benchCallOverhead = async (): Promise<Row[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const created = await createHost({ dataDir, shell: 'test', approvals: 'window' });
  if (!created.ok) throw new Error(created.error.message);
  const host = created.value;
  const client = await bareClient();
  try {
    const { serverId } = await request<{ serverId: string }>(host, 'servers:add', { spec: { kind: 'command', command: process.execPath, args: [everything, 'stdio'] } });
    await request(host, 'servers:connect', { serverId });
    const capabilityId = `mcp:${serverId}:tool:echo`;
    const governed = async (): Promise<void> => {
      const outcome = await request<{ state: string; code?: string }>(host, 'calls:try', { capabilityId, input: { message: 'hi' }, wait: true });
      if (outcome.state !== 'completed') throw new Error(`governed call ended ${outcome.state} ${outcome.code ?? ''}`);
    };
    const bare = (): Promise<unknown> => client.callTool({ name: 'echo', arguments: { message: 'hi' } });

    await request(host, 'capabilities:review', { capabilityId, tier: 'read_only', admit: true });
    const read = await series(bare, governed);
    await request(host, 'capabilities:review', { capabilityId, tier: 'low_write', admit: true });
    await request(host, 'rules:add', { effect: 'allow', capabilityId, note: 'bench' });
    const write = await series(bare, governed);
    return [
      row('governed read-only call, p50', read, 0.5, 0.3),
      row('governed read-only call, p95', read, 0.95, 0.8),
      row('governed write, two durable commits, p50', write, 0.5, 1.5),
      row('governed write, two durable commits, p95', write, 0.95, 8),
    ];
  } finally {
    await client.close();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Of the round whose difference is the median one. */
const row = (what: string, rounds: readonly Round[], q: number, aimMs: number): Row => {
  const figures = rounds.map((times) => ({ gantry: quantile(times.governed, q), peer: quantile(times.bare, q) })).toSorted((a, b) => a.gantry - a.peer - (b.gantry - b.peer));
  const { gantry, peer } = figures[Math.floor(figures.length / 2)]!;
  return { what, unit: 'ms', gantry, peer, peerName: 'bare SDK', aim: `at most ${aimMs} over`, met: gantry - peer <= aimMs };
};
