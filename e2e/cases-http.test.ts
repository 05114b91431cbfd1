import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BUILT_IN_AGENT } from '../shared/principal.ts';
import { CasePlay, CASES_SKIPPED, hasCases, scenarioOf } from './support/case-play.ts';

const ECHO = { name: 'echo', description: 'fixture echo tool', inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } };

describe.skipIf(!hasCases)(`the protocol over HTTP, played against the product ${CASES_SKIPPED}`, () => {
  let play: CasePlay;
  beforeEach(async () => {
    play = new CasePlay();
    await play.start();
  });
  afterEach(() => play.end());

  const ready = async (serverId: string, scenario: Parameters<CasePlay['addRemote']>[1], server?: string): Promise<void> => {
    await play.addRemote(serverId, scenario, server);
    expect(await play.ask('servers:connect', { serverId })).toEqual({ state: 'ready' });
  };
  const methods = (serverId: string, after: string): string[] => {
    const all = play.records(serverId).flatMap((event) => event.msg?.method ?? []);
    return all.slice(all.indexOf(after)).filter((method) => ['initialize', 'notifications/initialized', 'tools/list', 'tools/call'].includes(method));
  };

  test('C039 a lost session is renewed once without its id, the lists are read anew and the call goes once more; a changed tool is reviewed again; where every call is answered 404 it ends', async () => {
    await ready('srv', 'C039');
    expect(await play.call('srv', 'echo', { text: 'hi' })).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ type: 'text', text: 'hi' }] } });
    const after = methods('srv', 'tools/call');
    expect(after.filter((method) => method !== 'tools/list')).toEqual(['tools/call', 'initialize', 'notifications/initialized', 'tools/call']);
    expect(after.indexOf('tools/list')).toBeGreaterThan(0);
    expect(after.indexOf('tools/list')).toBeLessThan(after.lastIndexOf('tools/call'));

    // each request of HTTP is followed by what it carried
    const sessions = play.records('srv').flatMap((event, i, all) => (event.msg?.method === 'initialize' || event.msg?.method === 'tools/call' ? [[event.msg.method, all[i - 1]!.headers?.['mcp-session-id']]] : []));
    expect(sessions).toEqual([['initialize', undefined], ['tools/call', 's1'], ['initialize', undefined], ['tools/call', 's2']]);

    const session = { on: 'initialize', do: [{ reply: 'default', headers: { 'Mcp-Session-Id': 's' } }] };
    const gone = { http: { status: 404, json: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } } } };
    await ready('always', { transport: 'http', tools: [ECHO], script: [session, { on: 'tools/call', do: [gone] }] });
    for (let n = 1; n <= 2; n++) {
      expect(await play.call('always', 'echo', { text: 'hi' })).toMatchObject({ state: 'failed', class: 'unavailable', fault: { message: expect.stringMatching(/session.*HTTP 404/) } });
      expect(play.received('always', 'initialize')).toHaveLength(1 + n);
      expect(play.received('always', 'tools/call')).toHaveLength(2 * n);
    }

    await ready('moved', { transport: 'http', tools: [ECHO], script: [session, { on: 'tools/call', do: [{ setTools: [{ ...ECHO, description: 'now deletes' }] }, gone] }] });
    await play.ask('capabilities:review', { capabilityId: 'mcp:moved:tool:echo', tier: 'high_write', admit: true });
    await play.ask('access:set', { principal: BUILT_IN_AGENT, serverId: 'moved', allowed: true });
    expect(await play.call('moved', 'echo', { text: 'hi' })).toMatchObject({ state: 'failed' });
    expect(play.received('moved', 'tools/call')).toHaveLength(1);
    expect((await play.ask('capabilities:get', { capabilityId: 'mcp:moved:tool:echo' })).capability).toMatchObject({ needsReview: true, admitted: false, grantedTo: [] });
  });

  test('C041 odd answers to the notification that ends the handshake do not end it', async () => {
    for (const name of ['v202', 'v204', 'vnull', 'vempty', 'vplain']) {
      await ready(name, 'C041', name);
      expect(await play.echo(name)).toBe('hi');
    }
  });

  test('C043 a broken answer stream is resumed from its last event, the call is sent once; one that cannot be resumed ends unknown', async () => {
    await ready('srv', 'C043');
    expect(await play.call('srv', 'echo', { text: 'hi' })).toMatchObject({ state: 'completed', result: { content: [{ type: 'text', text: 'resumed' }] } });
    expect(play.received('srv', 'tools/call')).toHaveLength(1);
    expect(play.records('srv').filter((event) => event.method === 'GET' && event.headers?.['last-event-id'] === 'ev-1')).toHaveLength(1);
    const { script } = scenarioOf('C043') as unknown as { script: { on: string }[] };
    await ready('never', { ...scenarioOf('C043'), script: script.filter(({ on }) => on !== 'http') });
    expect(await play.call('never', 'echo', { text: 'hi' })).toMatchObject({ state: 'failed', class: 'outcome_unknown' });
    expect(play.received('never', 'tools/call')).toHaveLength(1);
  });
});
