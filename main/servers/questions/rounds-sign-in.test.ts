import { afterEach, expect, test } from 'vitest';
import { LoginServer } from '../auth/login-server.fixture.ts';
import { visit } from '../auth/person.fixture.ts';
import { createHarness, ECHO, textOf, type Harness } from '../pool-harness.fixture.ts';
import { ScriptedPerson } from './person.fixture.ts';

const open: (Harness | LoginServer)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const mark = { invocationId: 'i1', runId: 'r1', capabilityId: 'mcp:srv:tool:echo' };
const FORM = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } } };
const FRESH = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

test('QA23 a sign-in that ran out between two rounds is renewed, and the same round goes on: the person is asked once', async () => {
  const person = new ScriptedPerson();
  person.decide = () => ({ action: 'accept', content: { sure: true } });
  const server = await LoginServer.start();
  const h = createHarness({ questions: person });
  open.push(h, server);
  const calls: { readonly params: Readonly<Record<string, unknown>>; readonly token: string | undefined }[] = [];
  server.before = ({ path, method, body, headers }, response) => {
    if (path !== '/mcp' || method !== 'POST' || headers.authorization === undefined) return false;
    const { id, method: asked, params } = JSON.parse(body);
    if (asked === 'tools/call') calls.push({ params, token: headers.authorization });
    if (asked === 'tools/call' && calls.length === 2) return false;
    const result =
      asked === 'server/discover' ? { ...FRESH, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 'srv', version: '1' } }
      : asked === 'tools/list' ? { ...FRESH, tools: [ECHO] }
      : asked !== 'tools/call' ? null
      : calls.length === 1 ? { resultType: 'input_required', inputRequests: { q: FORM }, requestState: 'as far as this' }
      : { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
    if (calls.length === 1) server.forgetTokens();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...(result === null ? { error: { code: -32601, message: 'no' } } : { result }) }));
    return true;
  };
  h.add('srv', { kind: 'http', url: server.url });
  await h.pool.connect('srv');
  const begun = await h.pool.signIns.begin('srv');
  if (!begun.ok) throw new Error(begun.error.code);
  await visit(begun.value.pending.address);
  expect(await begun.value.done).toEqual({ ok: true, value: undefined });

  expect(textOf(await h.call('srv', 'echo', { text: 'hi' }, { mark }))).toBe('done');
  expect(person.asked).toHaveLength(1);
  expect(calls).toHaveLength(3);
  expect(calls[2]!.token).not.toBe(calls[1]!.token);
  const goesOn = { inputResponses: { q: { action: 'accept', content: { sure: true } } }, requestState: 'as far as this', arguments: { text: 'hi' } };
  expect([calls[0]!.params['requestState'], calls[1]!.params, calls[2]!.params]).toMatchObject([undefined, goesOn, goesOn]);
});
