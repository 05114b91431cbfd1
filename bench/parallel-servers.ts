import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHost } from '../main/host.ts';
import type { Row } from './table.ts';

const SERVERS = 30;
const WINDOW = { kind: 'window', canDecide: true } as const;
const require = createRequire(import.meta.url);

/** Real npm servers in turn, so that the mix is not one program 30 times over. */
const launches = (folder: string): { command: string; args: string[] }[] => {
  const bins = [
    [require.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
    [binOf('@modelcontextprotocol/server-memory')],
    [binOf('@modelcontextprotocol/server-filesystem'), folder],
  ];
  return Array.from({ length: SERVERS }, (_, i) => ({ command: process.execPath, args: bins[i % bins.length]! }));
};

const binOf = (name: string): string => {
  const manifestPath = require.resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifestPath, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifestPath), Object.values(bin)[0]!);
};

/** Live processes whose session descends from this one, by /proc (Linux only; NaN elsewhere). */
const childrenAlive = (token: string): number => {
  if (process.platform !== 'linux') return Number.NaN;
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(token);
    } catch {
      return false;
    }
  }).length;
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is still held after a collection. The resident size would count what an earlier suite of this process left to be freed. */
const memoryMb = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

/** 30 npm servers at once: wall time to ready against bare SDK clients, host memory, and what is alive 5 s after quit. */
export const benchParallelServers = async (): Promise<Row[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-files-'));
  const before = memoryMb();
  const bareStart = performance.now();
  const clients = await Promise.all(
    launches(folder).map(async (launch) => {
      const client = new Client({ name: 'bench', version: '1' });
      await client.connect(new StdioClientTransport({ ...launch, stderr: 'ignore' }), { timeout: 120_000 });
      await client.listTools();
      return client;
    }),
  );
  const bareMs = performance.now() - bareStart;
  const bareMb = memoryMb() - before;
  const bareCloseStart = performance.now();
  await Promise.all(clients.map((c) => c.close()));
  const bareCloseMs = performance.now() - bareCloseStart;

  const created = await createHost({ dataDir, shell: 'test', approvals: 'window' });
  if (!created.ok) throw new Error(created.error.message);
  const host = created.value;
  const ids: string[] = [];
  for (const launch of launches(folder)) {
    const added = await host.handle('servers:add', { spec: { kind: 'command', ...launch } }, WINDOW);
    if (!added.ok) throw new Error(added.error.message);
    ids.push((added.value as { serverId: string }).serverId);
  }
  const hostBefore = memoryMb();
  const start = performance.now();
  const states = await Promise.all(ids.map((serverId) => host.handle('servers:connect', { serverId }, WINDOW)));
  const wallMs = performance.now() - start;
  const ready = states.filter((s) => s.ok && (s.value as { state: string }).state === 'ready').length;
  const hostMb = memoryMb() - hostBefore;
  const closeStart = performance.now();
  await host.close();
  const closeMs = performance.now() - closeStart;
  const left = childrenAlive(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
  return [
    { what: `${SERVERS} npm servers in parallel, connected and discovered`, unit: 'ms', gantry: wallMs, peer: bareMs, peerName: 'bare SDK, tools/list' },
    { what: 'of these ready', unit: 'count', gantry: ready, aim: String(SERVERS), met: ready === SERVERS },
    { what: 'memory held for them, after a collection', unit: 'MB', gantry: hostMb, peer: bareMb, peerName: 'bare SDK' },
    { what: 'quit', unit: 'ms', gantry: closeMs, peer: bareCloseMs, peerName: 'bare SDK', aim: 'at most 5000', met: closeMs <= 5000 },
    { what: 'processes left after quit', unit: 'count', gantry: left, aim: '0', met: left === 0 },
  ];
};
