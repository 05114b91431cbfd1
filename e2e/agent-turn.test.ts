import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Gantry } from './support/gantry.ts';

const fixture = fileURLToPath(new URL('./fixtures/recording-server.mjs', import.meta.url));

interface ModelRequest {
  readonly tools?: { function: { name: string; description?: string; parameters: unknown } }[];
  readonly messages: { role: string; content: unknown; tool_call_id?: string; tool_calls?: unknown[] }[];
}
type Turn = (request: ModelRequest) => { text?: string; calls?: { name: string; arguments: string }[] };

let gantry: Gantry;
let folder: string;
let model: Server;
let requests: ModelRequest[];
let texts: string[];

/** An OpenAI-compatible endpoint that plays the given turns and keeps every request as it arrived. */
const playModel = async (turns: readonly Turn[]): Promise<string> => {
  model = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const parsed = JSON.parse(body) as ModelRequest;
      texts.push(body);
      requests.push(parsed);
      const { text, calls } = turns[Math.min(requests.length, turns.length) - 1]!(parsed);
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'x', object: 'chat.completion', created: 0, model: 'scripted',
          choices: [{ index: 0, finish_reason: calls ? 'tool_calls' : 'stop', message: { role: 'assistant', content: text ?? null, ...(calls ? { tool_calls: calls.map((c, i) => ({ id: `call_${requests.length}_${i}`, type: 'function', function: c })) } : {}) } }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
};

beforeEach(() => {
  gantry = new Gantry();
  folder = mkdtempSync(join(tmpdir(), 'gantry-agent-'));
  requests = [];
  texts = [];
});
afterEach(async () => {
  await gantry.dispose();
  await new Promise((resolve) => model?.close(resolve) ?? resolve(null));
  rmSync(folder, { recursive: true, force: true });
});

test('AG02 the agent sees what it was granted, calls down the line, waits for the person, and the next request carries the outcome', async () => {
  await gantry.start(['--approvals=script'], { GANTRY_PASSPHRASE: 'a long passphrase for tests' });
  await gantry.ask('servers:add', { serverId: 'rec', spec: { kind: 'command', command: process.execPath, args: [fixture] }, env: { RECORD_FILE: join(folder, 'record-of-calls.jsonl'), API_TOKEN: { secret: 'model-must-not-see-1' } } });
  await gantry.ask('servers:connect', { serverId: 'rec' });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:look', tier: 'read_only', admit: true });
  await gantry.ask('capabilities:review', { capabilityId: 'mcp:rec:tool:note', tier: 'high_write', admit: true });
  await gantry.ask('access:set', { principal: 'agent:default', serverId: 'rec', allowed: true });
  const baseUrl = await playModel([
    () => ({ calls: [{ name: 'rec__look', arguments: '{"text":"a"}' }, { name: 'rec__note', arguments: '{"text":"b"}' }, { name: 'rec__gone', arguments: '{}' }] }),
    () => ({ text: 'all done' }),
  ]);
  await gantry.ask('models:set', { provider: 'scripted', baseUrl, model: 'scripted-1', key: 'sk-key-of-the-model' });
  const { runId } = await gantry.ask('agent:run', { prompt: 'look and note' });
  await vi.waitFor(async () => expect((await gantry.ask('approvals:list', { state: 'pending' })).approvals).toHaveLength(1), { timeout: 90_000, interval: 300 });
  const [approval] = (await gantry.ask('approvals:list', { state: 'pending' })).approvals;
  expect(approval).toMatchObject({ capabilityId: 'mcp:rec:tool:note', principal: 'agent:default', frozenInput: '{"text":"b"}' });
  await gantry.ask('approvals:decide', { approvalId: approval!.id, decision: 'deny', reason: 'not now' });
  await vi.waitFor(async () => expect((await gantry.ask('runs:get', { runId })).run.state).toBe('completed'), { timeout: 90_000, interval: 300 });

  expect(requests[0]!.tools!.map((t) => t.function.name).sort()).toEqual(['rec__look', 'rec__note']);
  const results = requests[1]!.messages.filter((m) => m.role === 'tool');
  expect(results).toHaveLength(3);
  expect(String(results[0]!.content)).toContain('look: a');
  expect(String(results[1]!.content)).toMatch(/"code":"denied"/);
  expect(String(results[2]!.content)).toMatch(/"code":"unknown_capability"/);
  for (const text of texts) {
    for (const secret of ['model-must-not-see-1', 'API_TOKEN', 'RECORD_FILE', 'recording-server.mjs', 'sk-key-of-the-model']) expect(text).not.toContain(secret);
  }
  const { events } = await gantry.ask('runs:get', { runId });
  expect(events.filter((e) => e.type === 'turn.request')).toHaveLength(2);
  expect(events.find((e) => e.type === 'run.answer')?.data).toMatchObject({ text: 'all done' });
  expect(await gantry.ask('runs:verify', { runId })).toMatchObject({ ok: true });
});

test('AG02 without a model the request is refused by name', async () => {
  await playModel([() => ({ text: '' })]);
  await gantry.start();
  expect(await gantry.rpc('agent:run', { prompt: 'hello' })).toMatchObject({ ok: false, error: { code: 'no_model' } });
});
