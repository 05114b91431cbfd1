import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { InProcess } from './support/in-process.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
const SECRET_OF_THE_DISK = 'words that only the disk has';

let gantry: InProcess;
let recordFile: string;
let fileUri: string;
let httpUri: string;
let visits = 0;
let endpoint: Server;

const asked = (method: string): { readonly uri?: string; readonly name?: string }[] =>
  existsSync(recordFile) ? readFileSync(recordFile, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line) as { method: string; params: object }).filter((one) => one.method === method).map((one) => one.params) : [];
const id = (uri: string): string => `mcp:library:resource:${uri}`;
const BY = 'book://by/{author}{?page,lang}';
const read = (uri: string, input?: unknown) => gantry.ask('calls:try', { capabilityId: id(uri), ...(input === undefined ? {} : { input }), wait: true });

beforeAll(async () => {
  gantry = new InProcess();
  recordFile = join(gantry.folder, 'record.jsonl');
  endpoint = createServer((_request, response) => {
    visits += 1;
    response.end(SECRET_OF_THE_DISK);
  });
  await new Promise<void>((done) => endpoint.listen(0, '127.0.0.1', done));
  httpUri = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/page`;
  const file = join(gantry.folder, 'diary.txt');
  writeFileSync(file, SECRET_OF_THE_DISK);
  fileUri = pathToFileURL(file).href;
  await gantry.start();
  await gantry.serve('library', fixture('library-server.mjs'), { RECORD_FILE: recordFile, FILE_URI: fileUri, HTTP_URI: httpUri });
  await gantry.admitAll('library');
});
afterAll(async () => {
  await gantry.end();
  endpoint.close();
});

test('RP02: resources, templates and prompts are registered one by one: what is malformed loses itself alone, what is no template is left out with its place', async () => {
  const { server } = await gantry.ask('servers:get', { serverId: 'library' });
  expect(server.discovery?.resources).toMatchObject({ outcome: 'read', count: 11, malformed: [{ index: 10, reason: 'no uri' }] });
  expect(server.discovery?.resourceTemplates).toMatchObject({ outcome: 'read', count: 2 });
  const { capability } = await gantry.ask('capabilities:get', { capabilityId: id(BY) });
  expect(capability).toMatchObject({ kind: 'resource', tier: 'read_only', inputSchema: { properties: { author: { type: 'string' }, page: { type: 'string' } }, required: ['author'], additionalProperties: false } });
  const broken = await gantry.ask('capabilities:get', { capabilityId: id('book://{unclosed') });
  expect(broken.capability.schemaDetail).toMatchObject({ state: 'excluded', pointer: '/uriTemplate' });
  const odd = (await gantry.ask('capabilities:list', { serverId: 'library' })).capabilities.find(({ name }) => name.startsWith('book://odd'));
  expect(odd?.flags.map(({ code }) => code)).not.toEqual([]);
});

test('RP03: a resource is read down the line with its own URI as the frozen input, and the evidence holds what was asked', async () => {
  const outcome = await read('book://rules');
  expect(outcome).toMatchObject({ state: 'completed', class: 'ok', result: { content: [{ type: 'resource', resource: { uri: 'book://rules', mimeType: 'text/plain', text: 'Edition 1: no running.' } }], source: { serverId: 'library', capabilityId: id('book://rules') } } });
  expect(asked('resources/read').at(-1)).toMatchObject({ uri: 'book://rules' });
  const { invocation } = await gantry.ask('calls:get', { invocationId: outcome.invocationId });
  expect(invocation).toMatchObject({ frozenInput: '{"uri":"book://rules"}', tier: 'read_only', grounded: true });
  const { events } = await gantry.ask('runs:get', { runId: outcome.runId });
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['call.planned', 'call.normalized', 'call.policy', 'call.intent', 'call.received', 'call.validated']));
  expect(events.find(({ type }) => type === 'call.normalized')?.data).toMatchObject({ uri: 'book://rules', repairs: [{ pointer: '/uri', what: 'own_uri' }] });
  expect(await gantry.ask('runs:verify', { runId: outcome.runId })).toMatchObject({ ok: true });
});

test('RP03: the URI of a resource is its own and no other', async () => {
  expect(await read('book://rules', { uri: 'book://cover' })).toMatchObject({ state: 'failed', code: 'invalid_input', fault: { field: '/uri' } });
  expect(await read('book://rules', { uri: 'book://rules', more: 1 })).toMatchObject({ state: 'failed', code: 'invalid_input' });
});

test('RP04: a template is expanded with the values given, and asks for nothing without those that it needs', async () => {
  const outcome = await read(BY, { author: 'Émile Zola/1', page: '2' });
  expect(outcome).toMatchObject({ state: 'completed', class: 'ok' });
  expect(asked('resources/read').at(-1)).toMatchObject({ uri: 'book://by/%C3%89mile%20Zola%2F1?page=2' });
  const { invocation } = await gantry.ask('calls:get', { invocationId: outcome.invocationId });
  expect(invocation.frozenInput).toBe('{"author":"Émile Zola/1","page":"2"}');
  const before = asked('resources/read').length;
  expect(await read(BY, { page: '2' })).toMatchObject({ state: 'failed', code: 'invalid_input' });
  expect(await read(BY, { author: 'x', uri: 'file:///etc/passwd' })).toMatchObject({ state: 'failed', code: 'invalid_input' });
  expect(await read(BY, { author: 'x'.repeat(9_000) })).toMatchObject({ state: 'failed', code: 'invalid_input' });
  expect(asked('resources/read')).toHaveLength(before);
});

test('RP05: a URI is a name for its own server: Gantry reads no file and fetches no address, whatever the scheme', async () => {
  for (const uri of [fileUri, httpUri]) {
    const outcome = await read(uri);
    expect(outcome).toMatchObject({ state: 'completed', class: 'ok' });
    expect(JSON.stringify(outcome.result)).toContain('in the words of the server');
    expect(JSON.stringify(outcome.result)).not.toContain(SECRET_OF_THE_DISK);
  }
  expect(visits).toBe(0);
});

test('RP06: what comes back is judged: binary data, another URI, nothing, broken pieces, a large text, and words that only look like an error', async () => {
  expect(await read('book://cover')).toMatchObject({ class: 'ok', result: { content: [{ resource: { mimeType: 'image/png', blob: expect.any(String) as string } }] } });
  const renamed = await read('book://renamed');
  expect(renamed).toMatchObject({ class: 'ok', result: { notes: [expect.stringContaining('answered with "book://somewhere-else"')] } });
  expect((await gantry.ask('calls:get', { invocationId: renamed.invocationId })).invocation.grounded).toBe(false);
  expect(await read('book://blank')).toMatchObject({ class: 'ok_empty' });
  expect(await read('book://broken')).toMatchObject({ state: 'failed', class: 'invalid_result', fault: { field: '/contents/1' }, result: { content: [{ resource: { text: 'kept' } }] } });
  expect(await read('book://long')).toMatchObject({ class: 'stored' });
  expect(await read('book://errors')).toMatchObject({ class: 'ok' });
});

test('RP07: not found is told as that, whichever code the server uses', async () => {
  expect(await read('book://gone')).toMatchObject({ state: 'failed', class: 'protocol_error', code: 'resource_not_found', fault: { details: { retryable: false } } });
  const odd = (await gantry.ask('capabilities:list', { serverId: 'library' })).capabilities.find(({ name }) => name.startsWith('book://odd'))!;
  expect(await gantry.ask('calls:try', { capabilityId: odd.id, wait: true })).toMatchObject({ code: 'resource_not_found', fault: { details: { rpcCode: -32602 } } });
});

test('RP08: an unreviewed resource asks the person, and its grant and review fall with a changed definition', async () => {
  await gantry.ask('access:set', { principal: 'agent:default', capabilityId: id('book://rules'), allowed: true });
  expect((await gantry.ask('capabilities:get', { capabilityId: id('book://rules') })).capability.grantedTo).toEqual(['agent:default']);
  await gantry.ask('calls:try', { capabilityId: 'mcp:library:tool:rewrite', input: { description: 'Other rules' }, wait: true });
  const outcome = await gantry.ask('calls:try', { capabilityId: id('book://rules'), wait: false });
  const { capability } = await gantry.ask('capabilities:get', { capabilityId: id('book://rules') });
  expect(capability).toMatchObject({ grantedTo: [], needsReview: true, tier: 'read_only', changedFields: ['description'] });
  expect(outcome).toMatchObject({ state: 'awaiting_approval' });
  const before = asked('resources/read').length;
  await gantry.ask('approvals:decide', { approvalId: outcome.approvalId!, decision: 'deny' });
  expect(asked('resources/read')).toHaveLength(before);
  await gantry.ask('capabilities:review', { capabilityId: id('book://rules'), tier: 'read_only', admit: true });
});

test('RP09: a prompt is got with its arguments by a person; its words keep the role that the server gave them, and no principal but the person may start it', async () => {
  const greet = await gantry.ask('calls:try', { capabilityId: 'mcp:library:prompt:greet', input: { reader: 'Ann' }, wait: true });
  expect(greet).toMatchObject({ class: 'ok', result: { content: [{ type: 'text', text: 'Say hello to Ann in a plain tone.', role: 'user', message: 0 }], extra: { description: 'A greeting' } } });
  expect(asked('prompts/get').at(-1)).toMatchObject({ name: 'greet', arguments: { reader: 'Ann' } });
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:library:prompt:greet', input: {}, wait: true })).toMatchObject({ code: 'invalid_input', fault: { field: '/reader' } });
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:library:prompt:greet', input: { reader: 7 }, wait: true })).toMatchObject({ code: 'invalid_input' });
  const plot = await gantry.ask('calls:try', { capabilityId: 'mcp:library:prompt:plot', wait: true });
  expect(plot.result?.content.map((block) => [block['role'], block['type']])).toEqual([['user', 'text'], ['assistant', 'text'], ['user', 'image'], ['user', 'resource']]);
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:library:prompt:odd', wait: true })).toMatchObject({ class: 'invalid_result', fault: { field: '/messages/1/role' }, result: { content: [{ text: 'kept' }] } });
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:library:prompt:huge', wait: true })).toMatchObject({ class: 'stored' });
  const access = await gantry.ask('access:set', { principal: 'agent:default', capabilityId: 'mcp:library:prompt:greet', allowed: true });
  expect(access).toEqual({ changed: 0, skipped: [{ capabilityId: 'mcp:library:prompt:greet', reason: 'prompt_by_person' }] });
  const funnel = await gantry.ask('funnel:get', { principal: 'agent:default', serverId: 'library' });
  expect(funnel.stages.find(({ stage }) => stage === 'admitted')?.lost).toContainEqual({ capabilityId: 'mcp:library:prompt:greet', reason: 'prompt_by_person' });
});

test('RP10: the newer era reads and gets alike, over standard streams and over HTTP', async () => {
  await gantry.serve('modern', fixture('modern-library-server.mjs'));
  await gantry.admitAll('modern');
  expect((await gantry.ask('servers:get', { serverId: 'modern' })).server.connection?.era).toBe('modern');
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:modern:resource:book://rules', wait: true })).toMatchObject({ class: 'ok', result: { content: [{ resource: { text: 'Edition 1: no running.' } }] } });
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:modern:resource:book://by/{author}', input: { author: 'Bob' }, wait: true })).toMatchObject({ class: 'ok', result: { content: [{ resource: { text: 'asked for book://by/Bob' } }] } });
  expect(await gantry.ask('calls:try', { capabilityId: 'mcp:modern:prompt:greet', input: { reader: 'Ann' }, wait: true })).toMatchObject({ class: 'ok', result: { content: [{ role: 'user', text: 'Say hello to Ann.' }] } });
});

const PUBLISH = 'mcp:library:tool:publish';
const updates: { readonly capabilityId: string; readonly updates: number }[] = [];
const told = (capabilityId: string) => updates.filter((one) => one.capabilityId === capabilityId);

test('RP11: a field of a template or a prompt is completed in the words of the server, bounded; what is typed on ends the question before, and no secret is asked with', async () => {
  const by = (value: string, argument = 'author') => gantry.rpc('resources:complete', { capabilityId: id(BY), argument, value, others: { lang: 'fr', stranger: 'x' } });
  expect(await by('Al')).toEqual({ ok: true, value: { offered: true, values: ['Alice', 'Albert'], hasMore: false } });
  expect(asked('completion/complete').at(-1)).toEqual({ ref: { type: 'ref/resource', uri: BY }, argument: { name: 'author', value: 'Al' }, context: { arguments: { lang: 'fr' } } });
  expect(await gantry.ask('resources:complete', { capabilityId: 'mcp:library:prompt:greet', argument: 'tone', value: 'f' })).toEqual({ offered: true, values: ['formal', 'friendly'], hasMore: false });
  const [first, second] = await Promise.all([by('never'), by('B')]);
  expect(first).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(second).toMatchObject({ ok: true, value: { values: ['Bob'] } });
  // values over the bound are left out, not cut into others
  expect(await by('many')).toEqual({ ok: true, value: { offered: true, values: [], total: 100_000, hasMore: true } });
  expect(await by('x', 'stranger')).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/argument' } });
  expect(await gantry.rpc('resources:complete', { capabilityId: id('book://rules'), argument: 'uri', value: '' })).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
});

test('RP12: a watched resource tells of its changes; a storm is told at most once a second with its last state, and what nobody watches is told to nobody', async () => {
  gantry.host.bus.on('resource:updated', (news) => updates.push(news));
  const rules = id('book://rules');
  expect(await gantry.ask('resources:get', { capabilityId: rules })).toEqual({ offersWatch: true, watched: false, updatedAt: null, updates: 0 });
  expect(await gantry.ask('resources:watch', { capabilityId: rules, watched: true })).toMatchObject({ watched: true });
  expect(asked('resources/subscribe')).toEqual([{ uri: 'book://rules' }]);
  await gantry.ask('calls:try', { capabilityId: PUBLISH, input: {}, wait: true });
  await vi.waitFor(() => expect(told(rules)).toHaveLength(1));
  await gantry.ask('calls:try', { capabilityId: PUBLISH, input: { times: 2_000 }, wait: true });
  await vi.waitFor(() => expect(told(rules).at(-1)?.updates).toBe(1_001), 10_000);
  expect(told(rules).length).toBeLessThan(20);
  expect(updates.every(({ capabilityId }) => capabilityId === rules)).toBe(true);
  expect(await gantry.ask('resources:watch', { capabilityId: rules, watched: false })).toMatchObject({ watched: false, updates: 1_001 });
  expect(asked('resources/unsubscribe')).toEqual([{ uri: 'book://rules' }]);
  expect(await gantry.rpc('resources:watch', { capabilityId: id(BY), watched: true })).toMatchObject({ ok: false, error: { code: 'conflict' } });
});

test('RP12: what was watched is watched on the next connection, too, and counts as changed', async () => {
  const rules = id('book://rules');
  await gantry.ask('resources:watch', { capabilityId: rules, watched: true });
  const before = told(rules).length;
  const subscribed = asked('resources/subscribe').length;
  await gantry.ask('servers:disable', { serverId: 'library' });
  await gantry.ask('servers:enable', { serverId: 'library' });
  await vi.waitFor(() => expect(asked('resources/subscribe')).toHaveLength(subscribed + 1), 20_000);
  await vi.waitFor(() => expect(told(rules).length).toBeGreaterThan(before), 10_000);
});

test('RP13: where a server of the newer era wants something of a person before it gives a resource or a prompt, the person is asked, and the same request is made again with the answer', async () => {
  for (const [capabilityId, given] of [['mcp:modern:resource:book://archive', 'Opened with card 7.'], ['mcp:modern:prompt:guided', 'Guide the holder of card 7.']] as const) {
    const call = await gantry.ask('calls:try', { capabilityId, wait: false });
    const question = await vi.waitFor(async () => {
      const [first] = (await gantry.ask('questions:list', { state: 'waiting' })).questions;
      expect(first).toBeDefined();
      return first!;
    }, 10_000);
    await gantry.ask('questions:answer', { questionId: question.id, action: 'accept', content: { card: '7' } });
    await vi.waitFor(async () => expect((await gantry.ask('calls:get', { invocationId: call.invocationId })).invocation).toMatchObject({ state: 'completed', class: 'ok' }), 10_000);
    expect(JSON.stringify((await gantry.ask('calls:get', { invocationId: call.invocationId })).invocation.result)).toContain(given);
  }
});

for (const over of ['standard streams', 'HTTP'] as const) {
  test(`RP10, RP12: the newer era is watched by a subscription of its own, over ${over}`, async () => {
    const serverId = over === 'HTTP' ? 'modern-http' : 'modern';
    let program: ChildProcess | null = null;
    if (over === 'HTTP') {
      const portFile = join(gantry.folder, 'port');
      program = spawn(process.execPath, [fixture('modern-library-server.mjs')], { env: { ...process.env, PORT_FILE: portFile }, stdio: 'ignore' });
      await vi.waitFor(() => expect(existsSync(portFile)).toBe(true), 20_000);
      await gantry.ask('servers:add', { serverId, spec: { kind: 'http', url: readFileSync(portFile, 'utf8') } });
      expect(await gantry.ask('servers:connect', { serverId })).toMatchObject({ state: 'ready' });
      await gantry.admitAll(serverId);
      expect((await gantry.ask('servers:get', { serverId })).server.connection).toMatchObject({ era: 'modern', transport: 'streamable-http' });
      expect(await gantry.ask('calls:try', { capabilityId: `mcp:${serverId}:resource:book://by/{author}`, input: { author: 'Émile' }, wait: true })).toMatchObject({ class: 'ok' });
      expect(await gantry.ask('calls:try', { capabilityId: `mcp:${serverId}:prompt:greet`, input: { reader: 'Ann' }, wait: true })).toMatchObject({ class: 'ok' });
    }
    const rules = `mcp:${serverId}:resource:book://rules`;
    expect(await gantry.ask('resources:complete', { capabilityId: `mcp:${serverId}:resource:book://by/{author}`, argument: 'author', value: 'Al' })).toMatchObject({ offered: true, values: ['Alice', 'Albert'] });
    expect(await gantry.ask('resources:watch', { capabilityId: rules, watched: true })).toMatchObject({ offersWatch: true, watched: true });
    await gantry.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:publish`, input: {}, wait: true });
    await vi.waitFor(() => expect(told(rules)).toHaveLength(1), 10_000);
    expect(await gantry.ask('resources:watch', { capabilityId: rules, watched: false })).toMatchObject({ watched: false });
    program?.kill();
  });
}
