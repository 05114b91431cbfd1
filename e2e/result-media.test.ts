import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { AgentPlay } from './support/agent-play.ts';
import type { Scenario } from './support/case-play.ts';
import { resultsIn } from './support/told-results.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SOUND = 'SUQzBAAAAAAAAAAA';
/** the header of a picture of 20,000 pixels a side */
const WIDE = Buffer.concat([Buffer.from(PNG, 'base64').subarray(0, 16), Buffer.from([0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20]), Buffer.alloc(40)]).toString('base64');
const picture = (data: string, mimeType: string) => ({ type: 'image', data, mimeType });
const ANSWERS: Readonly<Record<string, unknown>> = {
  honest: { content: [picture(PNG, 'image/png')] },
  lying: { content: [{ type: 'text', text: 'look' }, picture(PNG, 'image/jpeg')] },
  broken: { content: [picture('AAAAAAAA', 'image/png')] },
  wide: { content: [picture(WIDE, 'image/png')] },
  sound: { content: [{ type: 'audio', data: SOUND, mimeType: 'audio/mpeg' }] },
  file: { content: [{ type: 'resource', resource: { uri: 'mem://a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0xLjcKJYGBgYEK' } }] },
  error: { content: [{ type: 'text', text: 'page crashed' }, picture(PNG, 'image/png')], isError: true },
};
const NAMES = Object.keys(ANSWERS);
const SERVER: Scenario = {
  transport: 'stdio',
  tools: NAMES.map((name) => ({ name, description: `tool ${name}`, inputSchema: { type: 'object', properties: {} } })),
  script: NAMES.map((name) => ({ on: 'tools/call', match: { params: { name } }, do: [{ reply: ANSWERS[name] }] })),
};

let play: AgentPlay;
beforeAll(async () => {
  play = new AgentPlay();
  await play.start();
  await play.serve('srv', SERVER);
});
afterAll(() => play.end());

const asked = async (provider: string, rules: string, refuse?: ScriptedModel['alsoRefuses']): Promise<{ model: ScriptedModel; runId: string; state: string }> => {
  const model = await play.model({ rules: [rules], turns: [{ calls: NAMES.map((name) => ({ id: `c_${name}`, toolByDescription: `tool ${name}`, args: {} })) }, { text: 'done' }] }, provider);
  if (refuse) model.alsoRefuses = refuse;
  return { model, ...(await play.question()) };
};

test('RS60 Anthropic gets pictures and documents as what their bytes are; the rest is told in words', async () => {
  const { model, state } = await asked('anthropic', 'anthropic-basic');
  expect([state, model.refused]).toEqual(['completed', []]);
  const of = Object.fromEntries(resultsIn(model).map((result, i) => [NAMES[i]!, result]));
  expect(of['honest']!.images).toEqual([{ media_type: 'image/png', data: PNG }]);
  expect(of['lying']!.images).toEqual([{ media_type: 'image/png', data: PNG }]);
  expect(of['lying']!.body).toMatchObject({ content: ['look', { type: 'image', mediaType: 'image/png', declared: 'image/jpeg', medium: 1 }] });
  expect(of['file']!.images).toEqual([{ media_type: 'application/pdf', data: 'JVBERi0xLjcKJYGBgYEK' }]);
  for (const [name, why] of [['broken', /no known kind/], ['wide', /8000 pixels/], ['sound', /no audio\/mpeg/], ['error', /words only/]] as const) {
    expect(of[name]!.images).toEqual([]);
    expect(of[name]!.head).toMatchObject({ media: [{ medium: 1, attached: false, why: expect.stringMatching(why) }] });
  }
  expect(of['error']).toMatchObject({ isError: true, body: { content: ['page crashed', { type: 'image' }] } });
});

test.each([['openai', 'openai-basic'], ['gemini', 'gemini-subset'], ['moonshot', 'moonshot'], ['ollama', 'openai-basic']])('RS60 %s gets a word for each picture, and no base64', async (provider, rules) => {
  const { model, state } = await asked(provider, rules);
  expect([state, model.refused]).toEqual(['completed', []]);
  for (const [i, result] of resultsIn(model).entries()) {
    expect(result.head).toMatchObject({ media: [{ attached: false, why: expect.any(String) }] });
    expect(result.text, NAMES[i]).not.toContain(PNG.slice(0, 20));
  }
});

test('RS61 a provider that refuses the pictures is asked again without them; the run goes on, and it is on record', async () => {
  const { model, state, runId } = await asked('anthropic', 'anthropic-basic', ({ text }) => (text.includes('"type":"base64"') ? 'messages.2.content.0: Could not process image' : null));
  expect(state).toBe('completed');
  expect(model.refused).toHaveLength(1);
  expect(resultsIn(model)[0]!.text).toContain("the model's provider refused the attached media");
  const { events } = await play.ask('runs:get', { runId });
  expect(events.find((event) => event.type === 'turn.without_media')?.data).toMatchObject({ turn: 2, status: 400, providerSays: expect.stringContaining('Could not process image') });
});
