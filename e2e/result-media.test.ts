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

type ChatPart = { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } };
const roles = ({ messages }: ScriptedModel['accepted'][number]): unknown[] => messages.map(({ role }) => role);
/** A chat provider whose model sees: a tool message is a text, and a picture is what its address says. */
const STRICT_CHAT: ScriptedModel['alsoRefuses'] = ({ messages }) => (messages.every(({ role, content }) => role !== 'tool' || typeof content === 'string') ? null : 'messages.content: expected a string');

test.each([['openai', 'openai-basic'], ['gemini', 'gemini-subset'], ['moonshot', 'moonshot'], ['ollama', 'openai-basic']])('AG06 RS60 over the chat protocol (%s) the pictures follow the tool messages in one user message, each said to be its result\'s; each call keeps one result, without base64', async (provider, rules) => {
  const { model, state } = await asked(provider, rules, STRICT_CHAT);
  expect([state, model.refused]).toEqual(['completed', []]);
  const last = model.accepted.at(-1)!;
  expect(roles(last).slice(1)).toEqual(['user', 'assistant', ...NAMES.map(() => 'tool'), 'user']);
  const results = resultsIn(model);
  for (const [i, result] of results.entries()) expect(result.text, NAMES[i]).not.toContain(PNG.slice(0, 20));
  const of = Object.fromEntries(results.map((result, i) => [NAMES[i]!, result.head]));
  // an error's picture goes along, too: it is no part of the tool message
  for (const name of ['honest', 'lying', 'error']) expect([name, of[name]]).toMatchObject([name, { media: [{ medium: 1, attached: true }] }]);
  for (const [name, why] of [['broken', /no known kind/], ['wide', /8000 pixels/], ['sound', /no audio\/mpeg/], ['file', /no application\/pdf/]] as const) expect(of[name]).toMatchObject({ media: [{ attached: false, why: expect.stringMatching(why) }] });
  const parts = last.messages.at(-1)!['content'] as readonly ChatPart[];
  expect(parts.map(({ type }) => type)).toEqual(['text', 'image_url', 'text', 'image_url', 'text', 'image_url']);
  for (const [at, name] of [[0, 'honest'], [2, 'lying'], [4, 'error']] as const) {
    expect(parts[at]!.text).toMatch(new RegExp(`^\\(Gantry, not a person: picture 1 of 1 of the result of call c_${name}, `));
    expect(parts[at + 1]!.image_url!.url).toBe(`data:image/png;base64,${PNG}`);
  }
});

test.each([
  ['400, a template without pictures', 400, 'image input is not supported - hint: provide the mmproj'],
  ['422, a reader of texts', 422, 'messages[3]: unknown variant `image_url`, expected `text`'],
  ['404, a router', 404, 'No endpoints found that support image input'],
  ['500, a small server', 500, 'this model does not support image input'],
  ['400, a strict order of roles', 400, "Unexpected role 'user' after role 'tool'"],
])('AG06 RS61 over the chat protocol a model that takes no pictures (%s) is asked again with words, on record, and is not sent any again', async (_what, status, message) => {
  const CALL = { calls: [{ id: 'c_honest', toolByDescription: 'tool honest', args: {} }] };
  const model = await play.model({ rules: ['openai-basic'], turns: [CALL, CALL, { text: 'done' }] }, 'openai', `blind-${status}-${message.length}`);
  let refused = 0;
  model.failsAt = () => (model.arrived.at(-1)!.text.includes('image_url') ? ((refused += 1), { status, message }) : null);
  const { runId, state, events } = await play.question();
  expect([state, refused]).toEqual(['completed', 1]);
  expect(events.filter(({ type }) => type === 'turn.without_media')).toMatchObject([{ data: { turn: 2, status } }]);
  const [first, second] = resultsIn(model);
  expect(first!.text).toContain("the model's provider refused the attached media");
  expect(second!.head).toMatchObject({ media: [{ attached: false, why: expect.stringMatching(/text only/) }] });
  expect(await play.ask('runs:verify', { runId })).toMatchObject({ ok: true });
});

test('RS60 a model behind a route of texts alone gets a word for each picture, and no base64', async () => {
  const { model, state } = await asked('openai', 'openai-basic', ({ text }) => (text.includes('image_url') ? 'This model is text-only.' : null));
  expect([state, model.refused.length]).toEqual(['completed', 1]);
  for (const [i, result] of resultsIn(model).entries()) {
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
