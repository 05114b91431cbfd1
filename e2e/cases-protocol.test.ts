import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { AgentPlay } from './support/agent-play.ts';
import { CASES_SKIPPED, hasCases, type CaseEvent } from './support/case-play.ts';
import { until } from './support/census.ts';

const residentMb = (pid: number): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;

describe.skipIf(!hasCases)(`the protocol over stdio, played against the product ${CASES_SKIPPED}`, () => {
  let play: AgentPlay;
  beforeEach(async () => {
    play = new AgentPlay();
    await play.start();
  });
  afterEach(() => play.end());

  const ready = async (serverId: string, scenario: string, server?: string): Promise<void> => {
    await play.add(serverId, scenario, server === undefined ? {} : { server });
    expect(await play.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
  };
  const tools = async (serverId: string): Promise<string[]> => (await play.ask('capabilities:list', { serverId })).capabilities.filter((c) => c.kind === 'tool' && c.available).map((c) => c.name).sort();
  const answerTo = (id: string | number): CaseEvent | undefined => play.records('srv').find((event) => event.ev === 'in' && event.msg?.id === id && event.msg.method === undefined);

  test('C019 an older version offered by the server is spoken: ready, shown in the details, and its tool works', async () => {
    await ready('srv', 'C019');
    expect((await play.server('srv')).connection).toMatchObject({ protocolVersion: '2024-11-05', serverInfo: { name: 'old' } });
    expect(await play.echo('srv')).toBe('hi');
  });

  test('C021 a refused version is proposed again once, from the list of the server', async () => {
    await ready('srv', 'C021');
    expect((await play.server('srv')).connection).toMatchObject({ protocolVersion: '2025-06-18' });
    const proposed = play.received('srv', 'initialize').map((event) => event.msg!.params!['protocolVersion']);
    expect(proposed).toHaveLength(2);
    expect(proposed[1]).toBe('2025-06-18');
  });

  test('C023 ping is answered with its own id at once, also while a call runs', async () => {
    await ready('srv', 'C023');
    const calling = play.call('srv', 'echo', { text: 'hi' });
    await until('both pings are answered', () => answerTo('p-1') !== undefined && answerTo('p-2') !== undefined);
    for (const [id, asked] of [['p-1', 'notifications/initialized'], ['p-2', 'tools/call']] as const) {
      expect(answerTo(id)!.msg).toMatchObject({ id, result: {} });
      expect(answerTo(id)!.t - play.received('srv', asked)[0]!.t).toBeLessThan(2000);
    }
    expect(await calling).toMatchObject({ state: 'completed' });
  });

  test('C025 all pages are listed, cursors go back unchanged, an empty page and a null cursor are ordinary', async () => {
    await ready('srv', 'C025');
    expect(await tools('srv')).toEqual(['p1a', 'p1b', 'p3a', 'p3b']);
    expect(play.received('srv', 'tools/list').map((event) => event.msg!.params?.['cursor'])).toEqual([undefined, 'c2', 'c3']);
  });

  test('C027 a changed list is read by itself; the new tool is new and off, callable without a reconnect, and the old one leaves the agent', async () => {
    await play.serve('srv', 'C027');
    const exposed = async (): Promise<string[]> => (await play.ask('funnel:get', { principal: BUILT_IN_AGENT, serverId: 'srv' })).stages.find(({ stage }) => stage === 'fresh_healthy')!.capabilityIds;
    expect(await exposed()).toEqual(['mcp:srv:tool:boot']);
    await play.call('srv', 'boot', {});
    const booted = play.received('srv', 'tools/call')[0]!.t;
    await until('the late tool is there', async () => (await tools('srv')).includes('late'));
    expect(play.received('srv', 'tools/list').at(-1)!.t - booted).toBeLessThan(3000);
    const { capability } = await play.ask('capabilities:get', { capabilityId: 'mcp:srv:tool:late' });
    expect(capability).toMatchObject({ needsReview: true, admitted: false, grantedTo: [] });
    expect(await exposed()).toEqual([]);
    // nobody's yes to another tool holds for it: it asks
    expect(await play.ask('calls:try', { capabilityId: 'mcp:srv:tool:late', input: {}, wait: false })).toMatchObject({ state: 'awaiting_approval' });
    expect(await play.call('srv', 'late', {})).toMatchObject({ state: 'completed' });
    expect(play.starts('srv')).toHaveLength(1);
  });

  test('C030 late and made-up progress is nothing: one start, the same process, nothing broken', async () => {
    await ready('srv', 'C030');
    for (let n = 0; n < 2; n++) expect(await play.call('srv', 'echo', { text: 'hi' })).toMatchObject({ state: 'completed', class: 'ok' });
    expect(play.starts('srv')).toHaveLength(1);
    expect(new Set(play.received('srv', 'tools/call').map((event) => event.pid)).size).toBe(1);
    const { state, diagnostics } = await play.server('srv');
    expect({ state, anomalies: diagnostics.anomalies, restarts: diagnostics.restarts }).toEqual({ state: 'ready', anomalies: [], restarts: 0 });
  });

  test('C032 requests of the server are answered at once under their own ids, and the call ends', async () => {
    await ready('srv', 'C032');
    expect(await play.call('srv', 'echo', { text: 'hi' })).toMatchObject({ state: 'completed', class: 'ok' });
    const asked = play.received('srv', 'tools/call')[0]!.t;
    expect(play.received('srv', 'initialize')[0]!.msg!.params!['capabilities']).toHaveProperty('roots');
    expect(answerTo('r-1')!.msg).toMatchObject({ result: { roots: [] } });
    expect(answerTo(7001)!.msg).toMatchObject({ id: 7001, error: { code: -32601 } });
    for (const id of ['r-1', 7001]) expect(answerTo(id)!.t - asked).toBeLessThan(2000);
  });

  test('C034 an answer that takes longer than the call may is in time; the question says whose it is, and goes with its server', async () => {
    await play.serve('srv', 'C034');
    const { settings } = await play.ask('settings:get', {});
    // long enough for the question to come, on a busy machine too
    const limitMs = 4000;
    await play.ask('settings:set', { callLimits: { ...settings.callLimits, read_only: { ...settings.callLimits.read_only, timeoutMs: limitMs, maxTotalMs: limitMs } } });
    const asked = async () => (await play.ask('questions:list', { state: 'waiting' })).questions;
    const calling = async () => {
      const called = play.call('srv', 'echo', { text: 'hi' });
      await until('the form waits', async () => (await asked()).length === 1);
      return { called, question: (await asked())[0]! };
    };
    const first = await calling();
    expect(first.question).toMatchObject({ kind: 'form', serverId: 'srv', message: 'Delete 3 rows?' });
    await until('the limit is over', () => Date.now() - first.question.askedAt > limitMs * 1.5);
    await play.ask('questions:answer', { questionId: first.question.id, action: 'accept', content: { confirm: true } });
    expect(await first.called).toMatchObject({ state: 'completed', class: 'ok' });
    const answers = () => play.records('srv').flatMap((event) => (event.ev === 'in' && event.msg?.id === 'e-1' ? [event.msg.result] : []));
    for (const action of ['decline', 'cancel'] as const) {
      const { called, question } = await calling();
      await play.ask('questions:answer', { questionId: question.id, action });
      await called;
    }
    expect(answers()).toEqual([{ action: 'accept', content: { confirm: true } }, { action: 'decline' }, { action: 'cancel' }]);
    const last = await calling();
    await play.ask('servers:disable', { serverId: 'srv' });
    expect((await play.ask('questions:get', { questionId: last.question.id })).question).toMatchObject({ state: 'void', voidReason: 'server_gone' });
    expect(await last.called).toMatchObject({ state: 'failed' });
  });

  test('C036 an error without a usable id ends the only open call with its words; the next one works', async () => {
    await ready('srv', 'C036');
    const first = await play.call('srv', 'echo', { text: 'one' });
    expect(first).toMatchObject({ state: 'failed', class: 'protocol_error', fault: { message: expect.stringContaining('database offline') } });
    expect(await play.call('srv', 'echo', { text: 'two' })).toMatchObject({ state: 'completed', class: 'ok' });
    expect(play.starts('srv')).toHaveLength(1);
  });

  test('C038 a server without tools is ready; "not offered" is not a failed list', async () => {
    await ready('srv', 'C038');
    expect((await play.server('srv')).discovery).toMatchObject({ tools: { outcome: 'not_offered' }, resources: { outcome: 'read', count: 1 } });
  });

  test('C045 8 MB are an ordinary answer, complete; a line without an end stops that server alone, within bounded memory', async () => {
    await ready('srv', 'C045');
    await ready('other', 'C009');
    const big = await play.call('srv', 'echo', { text: 'big' });
    expect(big).toMatchObject({ state: 'completed', class: 'stored' });
    expect(big.result!.sizeBytes).toBeGreaterThanOrEqual(8_000_000);
    const before = residentMb(play.gantry.pid);
    let most = before;
    const sampler = setInterval(() => (most = Math.max(most, residentMb(play.gantry.pid))), 20);
    const waiting = play.call('srv', 'echo', { text: 'big' });
    const endless = await play.call('srv', 'echo', { text: 'endless' });
    clearInterval(sampler);
    expect(endless).toMatchObject({ state: 'failed', class: 'too_large', fault: { message: expect.stringMatching(/more than \d+ MiB/) } });
    expect(most - before).toBeLessThan(150);
    await waiting;
    expect(await play.echo('other')).toBe('hi');
    await until('it says what it was stopped for', async () => (await play.server('srv')).code === 'frame_too_large');
  });

  test('C047 a call whose server dies, or answers 500, ends at once, says so and that it may have happened, is not sent again, and the conversation goes on', async () => {
    await ready('dies', 'C047', 'dies');
    await play.addRemote('http500', 'C047', 'http500');
    expect(await play.ask('servers:connect', { serverId: 'http500' })).toEqual({ state: 'ready' });
    for (const [serverId, said] of [['dies', /\b9\b/], ['http500', /HTTP 500/]] as const) {
      const ended = await play.call(serverId, 'echo', { text: 'x' });
      expect(ended).toMatchObject({ state: 'failed', fault: { message: expect.stringMatching(said) } });
      expect(ended.fault!.message).toContain('may have been carried out');
      // at once: not by its deadline
      expect(ended.fault!.code).not.toBe('timeout');
      expect(play.received(serverId, 'tools/call')).toHaveLength(1);
    }
    for (const serverId of ['dies', 'http500']) {
      await play.becomes(serverId, 'ready');
      await play.ask('capabilities:review', { capabilityId: `mcp:${serverId}:tool:echo`, tier: 'high_write', admit: true });
      await play.ask('access:set', { principal: BUILT_IN_AGENT, serverId, allowed: true });
    }
    const model = await play.model({ rules: ['openai-basic'], turns: [{ calls: ['dies', 'http500'].map((serverId) => ({ id: `c_${serverId}`, tool: `${serverId}__echo`, args: { text: 'y' } })) }, { text: 'done' }] }, 'openai');
    const run = await play.question();
    expect(run.state).toBe('completed');
    const told = model.accepted[1]!.messages.filter((message) => message['role'] === 'tool').map((message) => String(message['content']));
    expect(told).toHaveLength(2);
    for (const text of told) expect(text).toMatch(/"mayHaveRun":true/);
    for (const serverId of ['dies', 'http500']) expect(play.received(serverId, 'tools/call')).toHaveLength(2);
  });
});
