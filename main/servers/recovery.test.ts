import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fault } from '../../shared/fault.ts';
import type { ServerFact } from '../../shared/server.ts';
import { listServerFacts } from '../store/server-facts.ts';
import { CIRCUIT_OPENS_AFTER, CircuitBreaker } from './circuit-breaker.ts';
import type { RecoveryNote } from './call-with-recovery.ts';
import { census, createHarness, ECHO, sleep, textOf, until, type Harness } from './pool-harness.fixture.ts';
import { answering } from './answering-endpoint.fixture.ts';
import { closeEndpoints, openEndpoint } from './era-endpoint.fixture.ts';
import { isRecovered, RecoveryCourse, REMOTE_TRIES } from './recovery-course.ts';
import { clampPause, LONGEST_PAUSE_MS, retryAfterMs } from './retry-after.ts';

const open: Harness[] = [];
const servers: Server[] = [];
const harness = (options: Parameters<typeof createHarness>[0] = {}): Harness => {
  const h = createHarness(options);
  open.push(h);
  return h;
};
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  await closeEndpoints();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  expect(marks.flatMap(census)).toEqual([]);
});

const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => void, port = 0): Promise<{ url: string; port: number; server: Server }> => {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${bound}/mcp`, port: bound, server };
};

const facts = (h: Harness, step: ServerFact['step'], serverId = 'srv') => h.store.read((db) => listServerFacts(db, serverId)).filter((fact) => fact.step === step).map((fact) => fact.data);

test('RC01 only TIMEOUT and CONNECTION_FAILED kinds are tried again', () => {
  for (const code of ['exited', 'start_timeout', 'timeout', 'connection_failed', 'endpoint_error']) expect([code, isRecovered(code)]).toEqual([code, true]);
  for (const code of ['auth_required', 'discovery_failed', 'consent_required', 'command_not_found', 'command_not_permitted', 'protocol_version', 'protocol_error', 'not_mcp', 'frame_too_large', 'integrity_mismatch', 'certificate_untrusted', 'proxy_refused', 'crash_loop']) expect([code, isRecovered(code)]).toEqual([code, false]);
});

test('RC01 a sign-in that is wanted, an invalid list and a refused launch are final: one try, none is scheduled', async () => {
  const h = harness({ crashFirstWaitMs: 20 });
  let asked = 0;
  const wall = await listen((_request, response) => { asked += 1; response.writeHead(401).end(); });
  h.add('auth', { kind: 'http', url: wall.url });
  h.addFake('list', { transport: 'stdio', script: [{ on: 'initialize', do: [{ reply: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } }] }, { on: 'tools/list', do: [{ reply: { tools: 'none' } }] }] });
  h.add('gone', { kind: 'command', command: '/nowhere/program', args: [] });
  h.addFake('flood', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [{ repeat: 400, do: [{ raw: '{{fill:z:1000000}}' }] }] }] });
  expect((await h.pool.connect('auth')).code).toBe('auth_required');
  expect((await h.pool.connect('list')).code).toBe('discovery_failed');
  expect((await h.pool.connect('gone')).code).toBe('command_not_found');
  await h.pool.connect('flood');
  await h.call('flood', 'echo', {});
  await until(() => h.pool.status('flood').state === 'unavailable' && facts(h, 'failure', 'flood').length > 0);
  const before = [asked, h.starts('list').length, h.starts('flood').length];
  await sleep(400);
  expect([asked, h.starts('list').length, h.starts('flood').length]).toEqual(before);
  for (const id of ['auth', 'list', 'gone', 'flood']) expect(h.pool.status(id)).not.toHaveProperty('retryAt');
});

test('RC01 RC03 tries are bounded: five of a program, twelve of an endpoint; the circuit opens at the third failure and stays open after the last', () => {
  for (const [remote, tries] of [[false, 5], [true, REMOTE_TRIES]] as const) {
    const confirmed: string[] = [];
    let now = 0;
    const course = new RecoveryCourse({ clock: { now: () => now, monotonic: () => now } as never, stableRunMs: 60_000, crashFirstWaitMs: 1000, random: () => 0, addFact: () => {}, retried: () => {}, confirmed: (why) => confirmed.push(why.code) });
    const waits: number[] = [];
    for (let n = 1; ; n += 1) {
      course.begins();
      const wait = course.failed(fault('connection_failed', 'gone'), 0, remote);
      expect(course.circuit.state).toBe(n < CIRCUIT_OPENS_AFTER ? 'closed' : 'open');
      if (wait === null) break;
      waits.push(wait);
      now += wait;
    }
    expect(waits).toHaveLength(tries - 1);
    expect(waits.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60_000);
    expect(course.circuit).not.toHaveProperty('until');
    expect(confirmed).toEqual(['connection_failed']);
    course.reset();
    expect(course.circuit).toEqual({ state: 'closed', failures: 0 });
  }
});

test('RC03 RC05 an endpoint that asks for a pause at each try is given up after the last one, and that is confirmed', () => {
  const confirmed: string[] = [];
  let now = 0;
  const course = new RecoveryCourse({ clock: { now: () => now, monotonic: () => now } as never, stableRunMs: 60_000, crashFirstWaitMs: 1000, random: () => 0, addFact: () => {}, retried: () => {}, confirmed: (why) => confirmed.push(why.code) });
  for (let n = 1; n <= REMOTE_TRIES; n += 1) {
    expect(confirmed).toEqual([]);
    course.begins();
    const wait = course.failed(fault('endpoint_error', 'busy', { details: { retryAfterMs: 1e12 } }), 0, true);
    expect(wait).toBe(n < REMOTE_TRIES ? 300_000 : null);
    now += wait ?? 0;
  }
  expect(confirmed).toEqual(['endpoint_error']);
  expect(course.circuit).toMatchObject({ state: 'open', failures: REMOTE_TRIES });
  for (const gone of ['until', 'askedMs']) expect(course.circuit).not.toHaveProperty(gone);
});

test('RC03 the circuit: three failures in succession open it, an answer between counts anew, a try after that is a probe', () => {
  const circuit = new CircuitBreaker();
  const fail = (): boolean => circuit.failed(fault('timeout', 'no answer'), { now: 5, until: 9, askedMs: null });
  expect([fail(), fail()]).toEqual([false, false]);
  circuit.answered();
  expect([fail(), fail(), fail()]).toEqual([false, false, true]);
  expect(circuit.view).toEqual({ state: 'open', failures: 3, since: 5, until: 9, code: 'timeout', message: 'no answer', probes: 0 });
  circuit.probing();
  expect(circuit.view).toMatchObject({ state: 'half_open', probes: 1 });
  expect(fail()).toBe(false);
  expect(circuit.view).toMatchObject({ state: 'open', failures: 4, probes: 1, since: 5 });
  circuit.probing();
  circuit.close();
  expect(circuit.view).toEqual({ state: 'closed', failures: 0 });
});

test('RC02 RC03 a server that keeps ending: every try is a fact with cause, wait and outcome; the circuit opens, probes, and a person resets it', async () => {
  const confirmed: string[] = [];
  const h = harness({ crashFirstWaitMs: 100, onConfirmed: (serverId, why) => confirmed.push(`${serverId} ${why.code}`) });
  h.addFake('srv', { transport: 'stdio', script: [{ on: 'start', do: [{ exit: 3 }] }] });
  await h.pool.connect('srv');
  await until(() => h.pool.status('srv').state === 'unavailable' && (h.pool.status('srv') as { code: string }).code === 'crash_loop');
  // the older era's question after a silent end is a try as well (S02)
  expect(facts(h, 'retry')).toEqual([2, 3, 4].map((attempt) => ({ cause: 'exited', attempt, waitMs: expect.any(Number), outcome: 'exited' })));
  expect(facts(h, 'circuit').map((fact) => fact['state'])).toEqual(['open', 'half_open', 'open']);
  expect(h.pool.circuit('srv')).toMatchObject({ state: 'open', failures: 4, code: 'exited', probes: 1 });
  expect(h.pool.circuit('srv')).not.toHaveProperty('until');
  expect(h.pool.health('srv')).toEqual({ ready: false, reason: 'circuit_open: exited' });
  expect(confirmed).toEqual(['srv exited']);
  void h.pool.connect('srv');
  expect(h.pool.circuit('srv')).toEqual({ state: 'closed', failures: 0 });
  await h.pool.disable('srv');
});

test('RC03 a changed configuration resets the circuit', async () => {
  const h = harness({ crashFirstWaitMs: 60_000 });
  const wall = await listen((_request, response) => response.writeHead(503, { 'retry-after': '120' }).end());
  h.add('srv', { kind: 'http', url: wall.url });
  await h.pool.connect('srv');
  expect(h.pool.circuit('srv')).toMatchObject({ state: 'open', askedMs: 120_000 });
  const good = answering(() => null);
  const { url } = await listen(good.handler);
  h.store.write((db) => db.run('UPDATE servers SET spec_json = ? WHERE id = ?', [JSON.stringify({ kind: 'http', url }), 'srv']));
  h.consent('srv');
  await h.pool.configChanged('srv');
  await until(() => h.pool.status('srv').state === 'ready');
  expect(h.pool.circuit('srv')).toEqual({ state: 'closed', failures: 0 });
});

test('RC04 a call that did not reach its endpoint waits for the recovery, and goes out once more on a fresh connection whose lists were read anew', async () => {
  const h = harness({ crashFirstWaitMs: 150 });
  const first = answering(() => null);
  const { url, port, server } = await listen(first.handler);
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  server.close();
  server.closeAllConnections();
  await sleep(100);
  const notes: RecoveryNote[] = [];
  const calling = h.call('srv', 'echo', { text: 'x' }, { onRecovery: (note) => notes.push(note) });
  await until(() => h.pool.status('srv').state === 'unavailable');
  const second = answering(() => null);
  await listen(second.handler, port);
  expect(textOf(await calling)).toBe('ok');
  expect(first.seen.filter((m) => m === 'tools/call')).toHaveLength(0);
  expect(second.seen.filter((m) => ['initialize', 'tools/list', 'tools/call'].includes(m))).toEqual(['initialize', 'tools/list', 'tools/call']);
  expect(notes).toEqual([{ cause: 'not_reached', code: 'connection_failed', message: expect.any(String), waitMs: expect.any(Number), outcome: 'recovered', sentAgain: true }]);
  expect(facts(h, 'retry').at(-1)).toMatchObject({ cause: 'connection_failed', outcome: 'ready' });
});

test('RC04 a source that stays away is confirmed after its bounded tries; the call was never sent; without resends it is not waited for', async () => {
  const h = harness({ crashFirstWaitMs: 50 });
  const gone = answering(() => null);
  for (const id of ['srv', 'none']) {
    const { url, server } = await listen(gone.handler);
    h.add(id, { kind: 'http', url });
    await h.pool.connect(id);
    server.close();
    server.closeAllConnections();
  }
  await sleep(100);
  const notes: RecoveryNote[] = [];
  const outcome = await h.call('srv', 'echo', {}, { onRecovery: (note) => notes.push(note) });
  expect(outcome).toMatchObject({ kind: 'failed', sent: false, mayHaveRun: false, fault: { code: 'unavailable', details: { code: 'connection_failed' } } });
  expect(notes).toMatchObject([{ cause: 'not_reached', outcome: 'failed', sentAgain: false }]);
  expect(h.pool.circuit('srv').state).not.toBe('closed');
  expect(await h.call('none', 'echo', {}, { resends: 0, onRecovery: (note) => notes.push(note) })).toMatchObject({ kind: 'failed', fault: { code: 'connection_failed' } });
  expect(notes).toHaveLength(1);
});

test('RC04 a tool that is another on the fresh connection is not called', async () => {
  const h = harness({ crashFirstWaitMs: 150 });
  const { url, port, server } = await listen(answering(() => null).handler);
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  server.close();
  server.closeAllConnections();
  await sleep(100);
  const notes: RecoveryNote[] = [];
  const calling = h.call('srv', 'echo', {}, { onRecovery: (note) => notes.push(note) });
  await until(() => h.pool.status('srv').state === 'unavailable');
  const other = answering(() => null, () => ({ result: { tools: [{ ...ECHO, description: 'now deletes' }] } }));
  await listen(other.handler, port);
  expect(await calling).toMatchObject({ kind: 'failed', mayHaveRun: false, fault: { code: 'binding_changed' } });
  expect(other.seen).not.toContain('tools/call');
  expect(notes).toMatchObject([{ outcome: 'definition_changed', sentAgain: false }]);
});

test('RC08 whoever needs a server that is being recovered waits for it; one whose circuit is open, or that was switched off, is not waited for', async () => {
  const h = harness({ crashFirstWaitMs: 200 });
  h.addFake('srv', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', times: 1, do: [{ exit: 9 }] }] });
  await h.pool.connect('srv');
  expect(h.pool.freshen('srv')).toBeNull();
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', fault: { code: 'exited' } });
  const waiting = h.pool.freshen('srv');
  expect(waiting).not.toBeNull();
  expect(await waiting).toBeNull();
  expect(h.pool.status('srv').state).toBe('ready');
  h.addFake('bad', { transport: 'stdio', script: [{ on: 'start', do: [{ exit: 1 }] }] });
  await h.pool.connect('bad');
  await h.pool.freshen('bad');
  await until(() => h.pool.circuit('bad').state !== 'closed');
  expect(h.pool.freshen('bad')).toBeNull();
  await h.pool.disable('bad');
  expect(h.pool.freshen('bad')).toBeNull();
});

test('RC10 a server that hangs is told from a slow tool by what it says: three silent calls and no answer to ping end the connection', async () => {
  const h = harness({ crashFirstWaitMs: 50 });
  const ping = { on: 'ping', do: [{ record: 'pinged' }] };
  h.addFake('hung', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [{ record: 'deaf' }] }, ping] });
  h.addFake('slow', { transport: 'stdio', tools: [ECHO], script: [{ on: 'tools/call', do: [{ record: 'busy' }] }] });
  await Promise.all(['hung', 'slow'].map((id) => h.pool.connect(id)));
  for (let n = 0; n < 3; n++) await Promise.all(['hung', 'slow'].map((id) => h.call(id, 'echo', {}, { timeoutMs: 150 })));
  await until(() => h.starts('hung').length === 2 && h.pool.status('hung').state === 'ready', 90_000, 'a fresh connection');
  expect(facts(h, 'retry', 'hung')).toMatchObject([{ cause: 'timeout', outcome: 'ready' }]);
  expect(h.starts('slow')).toHaveLength(1);
  expect(h.pool.status('slow').state).toBe('ready');
});

test.each(['legacy', 'modern'] as const)('RC10 an endpoint of the %s era that answers, if only by a status, whether it lives is slow, not gone', async (era) => {
  const { harness: h, seen } = await openEndpoint(era, (method) => {
    if (method === 'tools/call') return null;
    return method === 'tools/list' ? { result: { resultType: 'complete', tools: [ECHO] } } : { status: 404 };
  });
  await h.pool.connect('srv');
  const question = era === 'modern' ? 'server/discover' : 'ping';
  const before = seen.filter(({ method }) => method === question).length;
  for (let n = 0; n < 3; n++) await h.call('srv', 'echo', {}, { timeoutMs: 150 });
  await until(() => seen.filter(({ method }) => method === question).length > before);
  await sleep(300);
  expect(h.pool.status('srv').state).toBe('ready');
  expect(h.left).toEqual([]);
});

test('F29 Retry-After is read as seconds or a date, and clamped', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs('Mon, 30 Nov 2026 12:00:30 GMT', now)).toBe(30_000);
  expect(retryAfterMs('Mon, 30 Nov 2020 12:00:30 GMT', now)).toBe(0);
  for (const odd of [null, '', '-5', '1.5', 'soon', '9'.repeat(30), '2026-11-30T12:00:30Z']) expect([odd, retryAfterMs(odd, now)]).toEqual([odd, null]);
  expect([0, 30_000, 1e14].map(clampPause)).toEqual([1000, 30_000, LONGEST_PAUSE_MS]);
});

test.each([[429, '315360000'], [503, 'Fri, 01 Jan 2100 00:00:00 GMT']])('F29 HTTP %d with a Retry-After of years at the start is clamped and shown, and the circuit opens', async (status, header) => {
  const h = harness();
  let asked = 0;
  const { url } = await listen((_request, response) => { asked += 1; response.writeHead(status, { 'retry-after': header }).end(); });
  h.add('srv', { kind: 'http', url });
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'endpoint_error', fault: { message: expect.stringMatching(/pause of \d+ s; Gantry waits 300 s at most/), details: { status, pauseMs: LONGEST_PAUSE_MS } } });
  const state = h.pool.status('srv');
  expect(state.state === 'unavailable' && state.retryAt! - state.since).toBe(LONGEST_PAUSE_MS);
  expect(h.pool.circuit('srv')).toMatchObject({ state: 'open', code: 'endpoint_error', until: expect.any(Number) });
  expect((h.pool.circuit('srv') as { askedMs: number }).askedMs).toBeGreaterThan(1e10);
  // the newer era's question and the older era's introduction, no more
  expect(asked).toBeLessThanOrEqual(2);
});

test('F29 a call answered 429 with Retry-After opens the circuit: nothing more is sent, calls under way end, and after the pause the lists are read anew', async () => {
  const confirmed: string[] = [];
  const h = harness({ onConfirmed: (_serverId, why) => confirmed.push(why.code) });
  const slow = Promise.withResolvers<void>();
  const busy = answering(async (n) => {
    if (n === 1) await slow.promise;
    return n === 2 ? { status: 429, headers: { 'retry-after': '1' } } : null;
  });
  const { url } = await listen(busy.handler);
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  const running = h.call('srv', 'echo', { text: 'slow' });
  await until(() => busy.seen.includes('tools/call'));
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', mayHaveRun: false, fault: { details: { status: 429, retryAfterMs: 1000 } } });
  expect(h.pool.circuit('srv')).toMatchObject({ state: 'open', askedMs: 1000 });
  expect(h.pool.health('srv')).toEqual({ ready: false, reason: 'circuit_open: endpoint_error' });
  expect(h.left).toEqual([{ serverId: 'srv', reason: 'endpoint_error' }]);
  expect(await h.call('srv', 'echo', {})).toMatchObject({ kind: 'failed', sent: false });
  expect(busy.seen.filter((m) => m === 'tools/call')).toHaveLength(2);
  slow.resolve();
  expect(textOf(await running)).toBe('ok');
  const lists = busy.seen.filter((m) => m === 'tools/list').length;
  await until(() => h.pool.status('srv').state === 'ready');
  expect(busy.seen.filter((m) => m === 'tools/list')).toHaveLength(lists + 1);
  expect(busy.seen.filter((m) => m === 'initialize')).toHaveLength(1);
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('ok');
  // the endpoint asked for a pause: nothing was confirmed to have failed
  expect(confirmed).toEqual([]);
});

test('F29 an endpoint whose calls are answered 503 three times in succession is not asked on and on; a person does not wait for the pause', async () => {
  const confirmed: string[] = [];
  const h = harness({ onConfirmed: (_serverId, why) => confirmed.push(why.code) });
  let down = true;
  const { handler, seen } = answering(() => (down ? { status: 503 } : null));
  const { url } = await listen(handler);
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  for (let n = 0; n < 4; n++) await h.call('srv', 'echo', {});
  expect(seen.filter((m) => m === 'tools/call')).toHaveLength(CIRCUIT_OPENS_AFTER);
  expect(h.pool.circuit('srv')).toMatchObject({ state: 'open', failures: 3, code: 'endpoint_error' });
  expect(confirmed).toEqual(['endpoint_error']);
  down = false;
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  expect(textOf(await h.call('srv', 'echo', {}))).toBe('ok');
});

test('F29 a probe that is answered 503 again counts on, on a fresh connection', async () => {
  const h = harness({ crashFirstWaitMs: 50 });
  let listBusy = false;
  const { handler, seen } = answering(() => ({ status: 503, headers: { 'retry-after': '0' } }), () => (listBusy ? { status: 503 } : null));
  const { url } = await listen(handler);
  h.add('srv', { kind: 'http', url });
  await h.pool.connect('srv');
  listBusy = true;
  await h.call('srv', 'echo', {});
  await until(() => facts(h, 'retry').length >= 2);
  expect(facts(h, 'retry')[0]).toMatchObject({ cause: 'endpoint_error', outcome: 'endpoint_error' });
  expect(h.pool.circuit('srv').state).not.toBe('closed');
  listBusy = false;
  await until(() => h.pool.status('srv').state === 'ready');
  expect(seen.filter((m) => m === 'initialize').length).toBeGreaterThan(1);
});
