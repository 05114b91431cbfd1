import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptedModel } from './fixtures/model/scripted-model.ts';
import { AgentPlay } from './support/agent-play.ts';
import { CASES_SKIPPED, hasCases, reproductionOf, scenarioOf, type Scenario } from './support/case-play.ts';
import { replying, resultsIn, type ToldResult } from './support/told-results.ts';

const PROBE = 'mcp:srv:tool:probe';

describe.skipIf(!hasCases)(`tool results, from the server to the text that the model gets, played against the product ${CASES_SKIPPED}`, () => {
  let play: AgentPlay;
  beforeEach(async () => {
    play = new AgentPlay();
    await play.start();
  });
  afterEach(() => play.end());

  interface Played {
    readonly told: ToldResult;
    readonly model: ScriptedModel;
    readonly runId: string;
    readonly invocationId: string;
  }
  /** One server of the case (or a variant of it), one question, to the text that the model got; the run goes on and its record holds. */
  const played = async (caseId: string, scenario: string | Scenario = caseId, serverId = 'srv'): Promise<Played> => {
    await play.serve(serverId, scenario);
    const model = await play.model(reproductionOf(caseId).model!, 'anthropic');
    const run = await play.question();
    expect(model.refused.map((one) => one.message)).toEqual([]);
    expect(run.state).toBe('completed');
    expect(await play.ask('runs:verify', { runId: run.runId })).toMatchObject({ ok: true });
    const { calls } = await play.ask('runs:calls', { runId: run.runId, offset: 0, limit: 10 });
    await play.ask('access:set', { principal: 'agent:default', serverId, allowed: false });
    return { told: resultsIn(model)[0]!, model, runId: run.runId, invocationId: calls[0]!.id };
  };
  /** The same tool called by hand, as the window does. */
  const byHand = (capabilityId = PROBE) => play.ask('calls:try', { capabilityId, input: {}, wait: true });

  test('C067 data that is only in structuredContent reaches the model; without the content key too; neither is an error that says so', async () => {
    const { told } = await played('C067');
    expect(told).toMatchObject({ isError: false, head: { class: 'ok' }, body: { structuredContent: { status: 'ok', total: 36 } } });
    expect(await byHand()).toMatchObject({ class: 'ok', result: { structuredContent: { total: 36 } } });
    const without = await played('C067', replying(scenarioOf('C067'), { structuredContent: { status: 'ok', total: 36 } }), 'without');
    expect(without.told).toMatchObject({ isError: false, body: { structuredContent: { total: 36 } } });
    const neither = await played('C067', replying(scenarioOf('C067'), {}), 'neither');
    expect(neither.told).toMatchObject({ isError: true, head: { class: 'invalid_result', fact: expect.stringContaining('empty') }, body: { content: '(empty result)' } });
  });

  test('C069 isError is a failure for the model, for the record and for the count, and the run goes on', async () => {
    const { told, model, invocationId } = await played('C069');
    expect(told).toMatchObject({ isError: true, head: { class: 'tool_error', category: 'not_found', retryable: false } });
    expect(told.text).toContain('row not found');
    expect(told.text).toContain('(untrusted)');
    expect(model.accepted).toHaveLength(2);
    expect((await play.ask('calls:get', { invocationId })).invocation).toMatchObject({ state: 'failed', code: 'tool_error', grounded: false });
    expect(await byHand()).toMatchObject({ state: 'failed', code: 'tool_error' });
  });

  test('C071 what does not fit the output schema is told with its place; the text is kept, the server stays', async () => {
    const { told, invocationId } = await played('C071');
    expect(told).toMatchObject({ isError: true, head: { class: 'invalid_result', field: '/structuredContent/temp', citable: false }, body: { content: ['temperature 21'], structuredContent: { temp: '21' } } });
    expect((await play.ask('calls:get', { invocationId })).invocation).toMatchObject({ code: 'invalid_result', fault: { field: '/structuredContent/temp' }, grounded: false });
    const missing = await played('C071', replying(scenarioOf('C071'), { content: [{ type: 'text', text: 'temperature 21' }] }), 'missing');
    expect(missing.told).toMatchObject({ head: { class: 'invalid_result', field: '/structuredContent' }, body: { content: ['temperature 21'] } });
    for (const serverId of ['srv', 'missing']) expect((await play.server(serverId)).state).toBe('ready');
    expect(await byHand()).toMatchObject({ code: 'invalid_result' });
  });

  test('C073 a picture goes along once, as a picture; its copy in the structured part is told by its size', async () => {
    const { told } = await played('C073');
    expect(Buffer.byteLength(told.text)).toBeLessThan(4_096);
    expect(told.text).toContain('[base64, 150000 bytes, not shown]');
    expect(told.images).toEqual([{ media_type: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) }]);
    expect(told.head).toMatchObject({ media: [{ medium: 1, mediaType: 'image/png', attached: true }] });
    expect((await byHand()).result!.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' });
  });

  test('C075 empty and half-empty results are legal, say what they are, and poison nothing', async () => {
    const { told, model } = await played('C075');
    expect(told.text).toMatch(/\(empty result\)|null/);
    expect(told.head).toMatchObject({ class: 'invalid_result', field: '/content/1/text' });
    const empty = await played('C075', replying(scenarioOf('C075'), { content: [] }), 'empty');
    expect(empty.told).toMatchObject({ isError: false, head: { class: 'ok_empty' }, body: { content: '(empty result)' } });
    const none = await played('C075', replying(scenarioOf('C075'), { content: null }), 'none');
    expect(none.told).toMatchObject({ isError: true, body: { content: '(empty result)' } });
    // the next question works
    await play.ask('access:set', { principal: 'agent:default', serverId: 'srv', allowed: true });
    expect(await play.question('and another')).toMatchObject({ state: 'completed' });
    expect(model.refused).toEqual([]);
    expect(await byHand()).toMatchObject({ state: 'failed', code: 'invalid_result' });
  });

  test('C076 bare texts in content, and the old wrapper, end the call at once with a legal result', async () => {
    const { told, invocationId } = await played('C076');
    expect(told).toMatchObject({ head: { class: 'invalid_result', field: '/content/0' }, body: { content: ['0x1000 entry0'] } });
    expect((await play.ask('calls:get', { invocationId })).invocation.result).toMatchObject({ content: [{ type: 'text', text: '0x1000 entry0' }] });
    const wrapped = await played('C076', replying(scenarioOf('C076'), { toolResult: { content: [{ type: 'text', text: 'ok' }] } }), 'wrapped');
    expect(wrapped.told).toMatchObject({ isError: false, head: { class: 'ok', notes: [expect.stringContaining('toolResult')] }, body: { content: ['ok'] } });
  });

  test('C078 bytes that are not UTF-8 are shown with replacement marks and a note, and the next call works', async () => {
    const { told } = await played('C078');
    expect(told.text).toContain('caf\ufffd');
    expect(JSON.stringify(told.head['notes'])).toMatch(/not valid UTF-8/i);
    expect((await byHand()).result!.notes!.join()).toMatch(/not valid UTF-8/i);
    expect((await play.server('srv')).state).toBe('ready');
  });

  test('C080 five megabytes reach the model shortened, with how much there is and how to read it; the whole is kept', async () => {
    const { told, invocationId } = await played('C080');
    expect(Buffer.byteLength(told.text)).toBeLessThan(70_000);
    expect(told.text).toMatch(/\[shortened, \d+ of 5000010 characters\]/);
    expect(told).toMatchObject({ isError: false, head: { class: 'stored', stored: { result: invocationId, shortened: [{ part: '/content/0/text', of: 5_000_010, unit: 'characters' }] } } });
    const { invocation } = await play.ask('calls:get', { invocationId });
    expect(invocation).toMatchObject({ state: 'completed', class: 'stored', grounded: true });
    expect(invocation.result!.sizeBytes).toBeGreaterThan(5_000_000);
    expect(JSON.stringify(invocation).length).toBeLessThan(300_000);
  });
});
