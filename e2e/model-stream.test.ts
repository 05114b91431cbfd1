import { afterEach, expect, test, vi } from 'vitest';
import { askModel, type ModelRequestInput } from '../main/agent/model-adapter.ts';
import { DeltaTeller } from '../main/agent/delta-teller.ts';
import { Bus } from '../main/bus.ts';
import { plainOutbound } from '../main/network/plain-network.fixture.ts';
import { ScriptedModel } from './fixtures/model/scripted-model.ts';
import type { ModelTurn } from './fixtures/model/turn.ts';

let model: ScriptedModel;
afterEach(() => model.close());

const ask = async (provider: string, turn: ModelTurn, more: Partial<ModelRequestInput> = {}) => {
  model = new ScriptedModel({ rules: [], turns: [turn] });
  const baseUrl = await model.start();
  return askModel({ provider, baseUrl, model: 'scripted', key: null }, { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }], tools: [], signal: new AbortController().signal, mask: (text) => text, outbound: plainOutbound(), ...more });
};

test.each(['openai', 'anthropic'])('AC01 over %s words are told as they come, put together for a window, and the whole is the same', async (provider) => {
  const bus = new Bus();
  const told: unknown[] = [];
  bus.on('agent:delta', (delta) => told.push(delta));
  const delta = new DeltaTeller(bus, { runId: 'r', turn: 2, attempt: 1 });
  const pieces: string[] = [];
  const answer = await ask(provider, { text: 'Grüße aus 北京 👋', usage: { input: 30, output: 9, cached: 20 } }, {
    onText: (text) => {
      pieces.push(text);
      delta.hear(text);
    },
  });
  delta.tell();
  if (!answer.ok) throw new Error(answer.error.message);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join('')).toBe('Grüße aus 北京 👋');
  expect(told).toEqual([{ runId: 'r', turn: 2, attempt: 1, text: 'Grüße aus 北京 👋' }]);
  expect(answer.value.content).toEqual([{ type: 'text', text: 'Grüße aus 北京 👋' }]);
  expect(answer.value.usage).toMatchObject({ inputTokens: { total: 30, cacheRead: 20 }, outputTokens: { total: 9 } });
  expect(JSON.parse(answer.value.exchange.requestText)).toMatchObject({ model: 'scripted', stream: true });
});

test('AC02 a stop closes the connection at once, with the words that had come', async () => {
  const stop = new AbortController();
  const answer = await ask('openai', { text: 'these words and more', half: 'stalls' }, { signal: stop.signal, onText: () => stop.abort() });
  expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled', partialText: 'these words' .slice(0, 10) } });
  await vi.waitFor(() => expect(model.brokenOff).toBe(1));
});

test.each(['openai', 'anthropic'])('AC06 over %s a reply that breaks off is told as what may pass, with no call of it', async (provider) => {
  const answer = await ask(provider, { text: 'I begin', calls: [{ id: 't1', tool: 'x', args: { v: 'half' } }], half: 'breaks' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'model_busy', details: { status: 200 } } });
});

test('AC03 a request that may not leave does not: what is looked at is what would be sent', async () => {
  const seen: string[] = [];
  const answer = await ask('openai', { text: 'never' }, {
    maxOutputTokens: 77,
    admit: (text) => {
      seen.push(text);
      return { code: 'token_limit', message: 'over the limit' };
    },
  });
  expect(answer).toMatchObject({ ok: false, error: { code: 'token_limit', exchange: { status: null } } });
  expect(JSON.parse(seen[0]!)).toMatchObject({ max_tokens: 77 });
  expect(model.accepted).toEqual([]);
});
