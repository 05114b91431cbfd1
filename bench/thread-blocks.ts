import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHost, type Host } from '../main/host.ts';
import { openTestLine } from '../main/calls/open-test-line.ts';
import { EvidenceLane } from '../main/evidence/evidence-lane.ts';
import { benchAnswerBlocks } from './answer-blocks.ts';
import { longestBlock } from './longest-block.ts';
import type { Row } from './table.ts';

const WINDOW = { kind: 'window', canDecide: true } as const;
const AIM_MS = 50;
const MIB = 1_048_576;
const EVENTS = 100_000;
const server = fileURLToPath(new URL('../e2e/fixtures/large-server.mjs', import.meta.url));

const request = async <T>(host: Host, name: string, input: unknown): Promise<T> => {
  const answer = await host.handle(name, input, WINDOW);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.message}`);
  return answer.value as T;
};

const ANSWERS = [
  ['a result of 300,000 keys', 'keys', { n: 300_000 }],
  ['15 MB of text', 'text', { bytes: 15 * MIB }],
  ['15 MB of base64', 'base64', { bytes: 11 * MIB }],
  ['an error of 10 MB', 'fail', { bytes: 10 * MIB }],
] as const;

const blockOfVerify = async (): Promise<number> => {
  const { line, store } = openTestLine();
  const run = line.beginRun({ kind: 'agent', title: 'long', principal: 'agent:default' });
  for (let n = 0; n < EVENTS; n += 1000) line.note(run.id, Array.from({ length: 1000 }, (_, i) => ({ type: 'turn.request' as const, invocationId: null, data: { turn: n + i, text: 'a request of a model' } })));
  const lane = new EvidenceLane(store);
  try {
    await lane.verify('none');
    return await longestBlock(async () => {
      const verdict = await lane.verify(run.id);
      if (!verdict.ok || !verdict.value.ok) throw new Error(JSON.stringify(verdict));
    });
  } finally {
    await lane.close();
    store.close();
  }
};

/** The longest block of the host's thread while the largest legal answers come and a long run is verified; beside it the bare SDK client, which only parses. */
export const benchThreadBlocks = async (): Promise<Row[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  const created = await createHost({ dataDir, shell: 'test', approvals: 'window' });
  if (!created.ok) throw new Error(created.error.message);
  const host = created.value;
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], stderr: 'ignore', maxBufferSize: 64 * MIB } as never));
  try {
    const { serverId } = await request<{ serverId: string }>(host, 'servers:add', { spec: { kind: 'command', command: process.execPath, args: [server] } });
    await request(host, 'servers:connect', { serverId });
    const rows: Row[] = [];
    for (const [what, tool, input] of ANSWERS) {
      const capabilityId = `mcp:${serverId}:tool:${tool}`;
      await request(host, 'capabilities:review', { capabilityId, tier: 'read_only', admit: true });
      // the first one starts the worker, which is no block, but half a second of a second thread
      await request(host, 'calls:try', { capabilityId, input, wait: true });
      const gantry = await longestBlock(() => request(host, 'calls:try', { capabilityId, input, wait: true }));
      const peer = await longestBlock(() => client.request({ method: 'tools/call', params: { name: tool, arguments: input } }, { '~standard': { version: 1, vendor: 'bench', validate: (value: unknown) => ({ value }) } } as never, { timeout: 120_000 }));
      rows.push({ what: `longest block, ${what}`, unit: 'ms', gantry, peer, peerName: 'bare SDK, parse only', aim: `at most ${AIM_MS}`, met: gantry <= AIM_MS });
    }
    const verify = await blockOfVerify();
    rows.push({ what: `longest block, verify of ${EVENTS} events`, unit: 'ms', gantry: verify, aim: `at most ${AIM_MS}`, met: verify <= AIM_MS });
    rows.push(...(await benchAnswerBlocks()));
    return rows;
  } finally {
    await client.close();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
