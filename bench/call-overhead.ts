import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHost, type Host } from '../main/host.ts';
import { quantile, type Row } from './table.ts';

const WINDOW = { kind: 'window', canDecide: true } as const;
const WARM_UP = 200;
const CALLS = 1500;

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

/** One series: the same call, bare and governed in turn, so that the machine's moods hit both. */
const series = async (bare: () => Promise<unknown>, governed: () => Promise<unknown>): Promise<{ bare: number[]; governed: number[] }> => {
  const times = { bare: [] as number[], governed: [] as number[] };
  for (let i = 0; i < WARM_UP + CALLS; i += 1) {
    for (const [kind, call] of i % 2 === 0 ? ([['bare', bare], ['governed', governed]] as const) : ([['governed', governed], ['bare', bare]] as const)) {
      const start = performance.now();
      await call();
      if (i >= WARM_UP) times[kind].push(performance.now() - start);
    }
  }
  return times;
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

const row = (what: string, times: { bare: number[]; governed: number[] }, q: number, aimMs: number): Row => {
  const gantry = quantile(times.governed, q);
  const peer = quantile(times.bare, q);
  return { what, unit: 'ms', gantry, peer, peerName: 'bare SDK', aim: `at most ${aimMs} over`, met: gantry - peer <= aimMs };
};
