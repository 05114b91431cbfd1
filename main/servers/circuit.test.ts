import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answering } from './answering-endpoint.fixture.ts';
import { createHarness, until, type Harness } from './pool-harness.fixture.ts';

const open: Harness[] = [];
const servers: Server[] = [];
const harness = (): Harness => {
  const h = createHarness();
  open.push(h);
  return h;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((h) => h.close()));
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<{ readonly url: string }> => {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
};

test('RC13 HTTP 500 to calls is said of each call: it opens no circuit, and does not begin the count of 503 anew', async () => {
  const h = harness();
  const answers = [500, 500, 500, 500, 503, 500, 503, 500, 503];
  const { handler, seen } = answering((n) => ({ status: answers[n - 1] ?? 200 }));
  const { url } = await listen(handler);
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  const circuits: string[] = [];
  for (const status of answers) {
    expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: true, fault: { code: 'protocol_error', details: { status, serverWords: 'busy' } } });
    circuits.push(h.pool.circuit('srv').state);
  }
  expect(circuits).toEqual([...answers.slice(0, -1).map(() => 'closed'), 'open']);
  expect(seen.filter((m) => m === 'tools/call')).toHaveLength(answers.length);
  // the words of an answer belong to its call
  expect(JSON.stringify([h.pool.circuit('srv'), h.pool.status('srv')])).not.toContain('busy');
});

test('RC14 what the list is told of a server names its circuit: open, half open while it is probed, nothing once it is closed', async () => {
  const h = harness();
  const heard: (string | undefined)[] = [];
  h.bus.on('server:changed', ({ server }) => heard.push(server.circuitState));
  let gate = Promise.resolve();
  let release = (): void => {};
  const { handler } = answering((n) => (n === 1 ? { status: 503, headers: { 'retry-after': '1' } } : null));
  const { url } = await listen((request, response) => void gate.then(() => handler(request, response)));
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  await h.call('srv', 'echo', {});
  gate = new Promise((done) => (release = done));
  await until(() => heard.includes('half_open'));
  expect(heard.slice(heard.indexOf('open')).slice(0, 2)).toEqual(['open', 'half_open']);
  release();
  await until(() => heard.at(-1) === undefined);
  expect(h.pool.status('srv').state).toBe('ready');
});
