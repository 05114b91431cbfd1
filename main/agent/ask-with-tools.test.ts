import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Rendering } from '../capabilities/routes/rendering.ts';
import type { TurnBinding } from '../capabilities/turn-binding.ts';
import { askWithTools } from './ask-with-tools.ts';
import type { Ask } from './asking.ts';
import { readRefusal } from './provider-refusal.ts';
import type { ExposedTool } from './exposed-tool.ts';

const rendering = (more: Partial<Rendering> = {}): Rendering => ({ routeId: 'portable', state: 'unchanged', description: 'd', schema: { type: 'object', properties: {} }, strict: false, steps: [], undo: null, leftOut: null, ...more });
const bound = (name: string): TurnBinding => ({ fingerprint: `b-${name}`, definition: { name }, definitionFingerprint: `d-${name}`, launchFingerprint: 'l', instructionsFingerprint: null, reviewVersion: null });
const tool = (name: string): ExposedTool => ({ name: `srv__${name}`, capabilityId: `mcp:srv:tool:${name}`, binding: bound(name), rendering: rendering() }) as ExposedTool;
const tools = (n: number): ExposedTool[] => Array.from({ length: n }, (_, i) => tool(`t${i}`));

interface Provider {
  readonly ask: Ask;
  /** the names of each request, and whether it was taken */
  readonly requests: { readonly names: string[]; readonly taken: boolean }[];
}
/** Refuses by what the request carries; says what `words` says of it. */
const provider = (refuses: (shown: readonly ExposedTool[]) => boolean, words: (shown: readonly ExposedTool[]) => string = () => 'Bad Request', status = 400): Provider => {
  const requests: { names: string[]; taken: boolean }[] = [];
  return {
    requests,
    ask: (shown) => {
      const taken = !refuses(shown);
      requests.push({ names: shown.map((one) => one.name), taken });
      const exchange = { url: '', requestText: '', status: taken ? 200 : status, isLost: false };
      return Promise.resolve(taken ? ok({ reasoning: [], content: [{ type: 'text', text: `answer ${requests.length}` }], usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }, finish: { unified: 'stop', raw: 'stop' }, end: 'ended', exchange }) : err({ ...fault('model_failed', 'refused', { details: { status, providerSays: words(shown) } }), exchange, partialText: '', retryAfterMs: null }));
    },
  };
};
const noPlain = (): Rendering | null => null;

test('RT30 a refused tool is found by halves, within the bound, and the turn goes on without it alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 128 }), fc.uniqueArray(fc.nat(127), { minLength: 1, maxLength: 2 }), async (n, picks) => {
      const all = tools(n);
      const bad = new Set(picks.map((pick) => `mcp:srv:tool:t${pick % n}`));
      const one = provider((shown) => shown.some((t) => bad.has(t.capabilityId)));
      const asked = await askWithTools(all, noPlain, one.ask);
      if (!asked.ok) throw new Error(asked.error.message);
      expect(one.requests.length).toBeLessThanOrEqual(40);
      expect(asked.value.refusals.every((refusal) => refusal.form === 'set_aside' && bad.has(refusal.tool.capabilityId))).toBe(true);
      expect(asked.value.refusals).toHaveLength(bad.size);
      expect(asked.value.tools.map((t) => t.capabilityId)).toEqual(all.map((t) => t.capabilityId).filter((id) => !bad.has(id)));
      expect(one.requests.at(-1)).toMatchObject({ taken: true, names: asked.value.tools.map((t) => t.name) });
    }),
    { numRuns: 60 },
  );
});

test('RT30 among a few tools no answer is thrown away: the first request that is accepted is the turn', async () => {
  for (const n of [1, 2, 5, 12]) {
    for (let bad = 0; bad < n; bad += 1) {
      const one = provider((shown) => shown.some((t) => t.name === `srv__t${bad}`));
      const asked = await askWithTools(tools(n), noPlain, one.ask);
      if (!asked.ok) throw new Error(asked.error.message);
      expect(one.requests.filter((request) => request.taken)).toHaveLength(1);
      expect(asked.value.tools).toHaveLength(n - 1);
    }
  }
});

test('RT30 words that name the tool, by name or by place, save the search', async () => {
  const all = tools(60);
  for (const words of [(shown: readonly ExposedTool[]) => `tools.${shown.findIndex((t) => t.name === 'srv__t37')}.custom.input_schema: not valid`, () => "Invalid schema for function 'srv__t37': broken", (shown: readonly ExposedTool[]) => `GenerateContentRequest.tools[0].function_declarations[${shown.findIndex((t) => t.name === 'srv__t37')}].parameters: bad`]) {
    const one = provider((shown) => shown.some((t) => t.name === 'srv__t37'), words);
    const asked = await askWithTools(all, noPlain, one.ask);
    expect(asked).toMatchObject({ ok: true, value: { requests: 2, refusals: [{ form: 'set_aside', tool: { name: 'srv__t37' } }] } });
  }
});

test('RT30 words that name one innocent tool after the other end in the search by halves', async () => {
  const all = tools(30);
  const one = provider((shown) => shown.some((t) => t.name === 'srv__t21'), () => 'tools.0: something is wrong');
  const asked = await askWithTools(all, noPlain, one.ask);
  if (!asked.ok) throw new Error(asked.error.message);
  expect(asked.value.refusals.map((refusal) => refusal.tool.name)).toEqual(['srv__t21']);
  expect(asked.value.tools).toHaveLength(29);
});

test('RT31 plain words come before leaving out, for the tools the provider speaks of', async () => {
  const plain = rendering({ routeId: 'plainest', schema: { type: 'object', properties: { a: { type: 'string' } } } });
  const one = provider((shown) => shown.some((t) => t.name === 'srv__t3' && t.rendering.routeId !== 'plainest'), () => "Invalid schema for function 'srv__t3'");
  const asked = await askWithTools(tools(8), () => plain, one.ask);
  if (!asked.ok) throw new Error(asked.error.message);
  expect(asked.value.tools).toHaveLength(8);
  expect(asked.value.refusals).toMatchObject([{ form: 'plainest', tool: { name: 'srv__t3' } }]);
  expect(one.requests).toHaveLength(2);
});

test('RT30 what is not about tools is told as it came, after one request', async () => {
  for (const [status, words] of [[401, 'invalid api key'], [429, 'slow down'], [500, 'oops'], [400, "This model's maximum context length is 8192 tokens"]] as const) {
    const one = provider(() => true, () => words, status);
    expect(await askWithTools(tools(5), noPlain, one.ask)).toMatchObject({ ok: false, error: { code: 'model_failed', details: { status } } });
    expect(one.requests).toHaveLength(1);
  }
});

test('RT30 a refusal that tools make no difference to blames none of them', async () => {
  const one = provider(() => true);
  expect((await askWithTools(tools(16), noPlain, one.ask)).ok).toBe(false);
  expect(one.requests.length).toBeLessThanOrEqual(24);
  expect(one.requests.at(-1)!.names).toEqual([]);
});

test('RT32 a limit on the number of tools cuts the request and blames none', async () => {
  const one = provider((shown) => shown.length > 64, (shown) => `Invalid 'tools': array too long. Expected an array with maximum length 64, but got an array with length ${shown.length} instead.`);
  const asked = await askWithTools(tools(100), noPlain, one.ask);
  if (!asked.ok) throw new Error(asked.error.message);
  expect(asked.value).toMatchObject({ refusals: [], requests: 2 });
  expect([asked.value.tools.length, asked.value.undecided.length]).toEqual([64, 36]);
});

test('RT30 a name inside another name is not taken for it', () => {
  expect(readRefusal(400, "Invalid schema for function 'srv__list_all'", ['srv__list', 'srv__list_all'])).toEqual({ kind: 'tools', suspects: ['srv__list_all'] });
});
