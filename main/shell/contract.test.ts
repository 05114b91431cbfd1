import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, requestNames, type RequestName } from '../../shared/contract/contract.ts';
import { events } from '../../shared/contract/events.ts';
import { FaultSchema } from '../../shared/fault-schema.ts';
import { openCommand, openLoopback, openRecordedElectron, type ShellUnderTest } from './shell-under-test.ts';

/** The same assertions on every way into the host: they differ in nothing that a caller can see. */
const ways: readonly (readonly [string, (dataDir: string) => Promise<ShellUnderTest>])[] = [
  ['loopback', openLoopback],
  ['electron (built, under the recorder)', (dataDir) => openRecordedElectron(dataDir)],
  ['command', openCommand],
];

/** Requests that read and need no object to exist. */
const plainReads: readonly RequestName[] = [
  'market:search', 'servers:list', 'capabilities:list', 'capabilities:rows', 'access:history', 'approvals:list', 'questions:list', 'questions:models', 'rules:list', 'runs:list', 'search:find', 'settings:get', 'secrets:status', 'secrets:list', 'health:ready', 'health:status', 'window:first',
];

describe.each(ways)('%s', (_name, open) => {
  let shell: ShellUnderTest;
  beforeAll(async () => {
    shell = await open(mkdtempSync(join(tmpdir(), 'gantry-contract-')));
  });
  afterAll(() => shell?.close());

  test('I01 every request of the contract is served, and judges its input by its schema', async () => {
    const mayDecide = await shell.mayDecide();
    const answers = await Promise.all(requestNames.map(async (name) => [name, await shell.request(name, 7)] as const));
    for (const [name, answer] of answers) {
      const code = contract[name].scope === 'decide' && !mayDecide ? 'forbidden' : 'invalid_request';
      expect([name, answer]).toMatchObject([name, { ok: false, error: { code } }]);
    }
    for (const [, answer] of answers) if (!answer.ok) expect(answer.error.field).not.toBe('request');
  });

  test('I01 what is read has the shape that the contract promises', async () => {
    for (const name of plainReads) {
      const answer = await shell.request(name, {});
      expect([name, answer]).toMatchObject([name, { ok: true }]);
      if (answer.ok) expect([name, contract[name].output.safeParse(answer.value).error]).toEqual([name, undefined]);
    }
    expect(await shell.request('funnel:get', { principal: 'agent:default' })).toMatchObject({ ok: true });
  });

  test('I46 the first data of a window are the answers of the single requests, the market where the window begins there', async () => {
    const value = async (name: string, input: object): Promise<Record<string, unknown>> => {
      const answer = await shell.request(name, input);
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
      return answer.value as Record<string, unknown>;
    };
    const singles = async (): Promise<Record<string, unknown>> => ({
      ...(await value('settings:get', {})), ...(await value('servers:list', {})), ...(await value('approvals:list', {})), ...(await value('questions:list', {})), ...(await value('shell:get', {})), runs: (await value('runs:list', {}))['runs'], health: await value('health:status', {}),
    });
    const cards = await value('market:browse', { limit: 24 });
    expect(cards['cards']).toHaveLength(24);
    await value('settings:set', { onboardingDone: true, marketFilters: '' });
    const first = await value('window:first', { market: true });
    expect(first).toMatchObject({ ...(await singles()), market: cards });
    expect(contract['window:first'].output.safeParse(first).error).toBeUndefined();
    expect(await value('window:first', {})).toMatchObject({ market: null });
    await value('settings:set', { marketFilters: 'kind=npm' });
    expect(await value('window:first', { market: true })).toMatchObject({ market: null });
    await value('settings:set', { onboardingDone: false, marketFilters: '' });
    expect(await value('window:first', { market: true })).toMatchObject({ market: null });
  });

  test('I02 a misfit input names its field, and a foreseen failure crosses as data', async () => {
    expect(await shell.request('runs:get', { runId: 5 })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/runId' } });
    expect(await shell.request('servers:add', { spec: { kind: 'npm' } })).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
    for (const [name, input] of [['runs:get', { runId: 'none' }], ['servers:get', { serverId: 'none' }], ['approvals:get', { approvalId: 'none' }], ['capabilities:get', { capabilityId: 'mcp:none:tool:none' }]] as const) {
      const answer = await shell.request(name, input);
      expect([name, answer.ok]).toEqual([name, false]);
      if (!answer.ok) expect(FaultSchema.safeParse(answer.error).success).toBe(true);
    }
  });

  test('I02 names of JavaScript itself are no requests', async () => {
    for (const name of ['nope', '__proto__', 'constructor', 'toString', '']) {
      const answer = await shell.request(name, {}).catch((error: unknown) => ({ ok: false, error: { code: 'invalid_request', message: String(error) } }));
      expect([name, answer]).toMatchObject([name, { ok: false, error: { code: 'invalid_request' } }]);
    }
  });

  test('I03 what is written is read back, any script included, and every window hears it as an event', async () => {
    const heard: unknown[] = [];
    await shell.on?.('settings:changed', (payload) => heard.push(payload));
    expect(await shell.request('settings:set', { language: 'zh', approvalExpiryMinutes: 7 })).toMatchObject({ ok: true, value: { settings: { language: 'zh' } } });
    expect(await shell.request('settings:get', {})).toMatchObject({ ok: true, value: { settings: { language: 'zh', approvalExpiryMinutes: 7 } } });
    if (shell.on) {
      await expect.poll(() => heard.length).toBeGreaterThan(0);
      expect(events['settings:changed'].parse(heard[0]).settings.language).toBe('zh');
    }
    expect(await shell.request('market:search', { query: '环境 \u{1f3d7} \u2028'.repeat(10_000) })).toMatchObject({ ok: true });
  });

  test('I04 the line runs from a server to evidence on every way in', async () => {
    const value = async <T>(name: string, input: object): Promise<T> => {
      const answer = await shell.request(name, input);
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
      return answer.value as T;
    };
    const { serverId } = await value<{ serverId: string }>('servers:add', { spec: { kind: 'builtin', name: 'environment' } });
    expect(await value('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
    const { capabilities } = await value<{ capabilities: { id: string; kind: string; schemaState: string }[] }>('capabilities:list', { serverId });
    const tool = capabilities.find(({ id }) => id.startsWith('mcp:environment:tool:'));
    expect(tool?.schemaState).toBe('checked');
    const tried = await value<{ runId: string; state: string }>('calls:try', { capabilityId: tool?.id ?? '', input: {}, wait: true });
    expect(tried.state).toBe('completed');
    expect(await value('runs:verify', { runId: tried.runId })).toMatchObject({ ok: true });
    await value('servers:remove', { serverId });
  }, 60_000);
});
