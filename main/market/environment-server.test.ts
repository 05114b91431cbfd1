import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { FACTS_FILE_VARIABLE, writeEnvironmentFacts } from './environment-facts.ts';
import type { EnvironmentFacts } from './environment-facts.ts';
import { openProbe } from './stdio-probe.ts';
import type { Probe } from './stdio-probe.ts';

const program = fileURLToPath(new URL('../../assets/servers/environment/server.mjs', import.meta.url));
const facts: EnvironmentFacts = {
  format: 'gantry-facts/1', writtenAt: 1, gantry: { version: '0.1.0', shell: 'loopback' }, node: 'v24.0.0', platform: 'linux', arch: 'x64', osRelease: '6.1', cpuCount: 4,
  memoryBytes: 8_000_000_000, locale: 'zh-CN', timeZone: 'Asia/Shanghai', featureSwitches: { market: true }, servers: [{ id: 'fs', name: 'Files', kind: 'npm', enabled: true, state: 'ready' }],
};
const TOOLS = ['get_versions', 'get_platform', 'get_feature_switches', 'list_configured_servers', 'get_environment_fact'];

const probes: Probe[] = [];
const start = (factsFile?: string): Probe => {
  const probe = openProbe({ command: process.execPath, args: [program], cwd: tmpdir(), env: factsFile === undefined ? {} : { [FACTS_FILE_VARIABLE]: factsFile } });
  probes.push(probe);
  return probe;
};
const writtenFacts = async (): Promise<string> => {
  const path = join(mkdtempSync(join(tmpdir(), 'gantry-facts-')), 'facts.json');
  expect(await writeEnvironmentFacts(path, facts)).toEqual({ ok: true, value: undefined });
  return path;
};
afterEach(async () => {
  await Promise.all(probes.splice(0).map((probe) => probe.close()));
});
const modern = (version = '2026-07-28') => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} } });

test('M47 the environment server greets every legacy revision and offers its own for an unknown one', async () => {
  const probe = start();
  for (const [asked, given] of [['2024-11-05', '2024-11-05'], ['2025-03-26', '2025-03-26'], ['2025-06-18', '2025-06-18'], ['2025-11-25', '2025-11-25'], ['1999-01-01', '2025-11-25']]) {
    const { result } = await probe.request('initialize', { protocolVersion: asked, capabilities: {}, clientInfo: { name: 't', version: '1' } });
    expect(result).toMatchObject({ protocolVersion: given, capabilities: { tools: {} }, serverInfo: { name: 'gantry-environment', version: '1.0.0' } });
    expect(result).not.toHaveProperty('resultType');
  }
  expect(await probe.request('ping')).toMatchObject({ result: {} });
  expect((await probe.close()).exitCode).toBe(0);
});

test('M47 it speaks the modern era with result types, cache hints and its name on each result', async () => {
  const probe = start(await writtenFacts());
  expect((await probe.request('server/discover', modern())).result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: expect.any(Number), cacheScope: 'public', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'gantry-environment' } } });
  expect((await probe.request('tools/list', modern())).result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number) });
  expect((await probe.request('tools/call', { name: 'get_versions', arguments: {}, ...modern() })).result).toMatchObject({ resultType: 'complete', structuredContent: { gantry: '0.1.0' } });
  expect((await probe.request('server/discover', modern('2031-01-01'))).error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2031-01-01' } });
  expect((await probe.request('ping', modern())).error).toMatchObject({ code: -32601 });
  expect((await probe.request('server/discover')).error).toMatchObject({ code: -32601 });
});

test('M47 odd messages get the error JSON-RPC names for them, and the session goes on', async () => {
  const probe = start();
  expect(await probe.raw('{not json')).toMatchObject({ id: null, error: { code: -32700 } });
  expect(await probe.raw('[]')).toMatchObject({ error: { code: -32600 } });
  expect(await probe.raw('{"jsonrpc":"2.0","id":null,"method":"ping"}')).toMatchObject({ error: { code: -32600 } });
  expect(await probe.raw('[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]')).toEqual([{ jsonrpc: '2.0', id: 'a', result: {} }]);
  expect((await probe.request('resources/list')).error).toMatchObject({ code: -32601 });
  expect((await probe.request('tools/call', { name: 'nope' })).error).toMatchObject({ code: -32602 });
  expect((await probe.request('tools/list', { cursor: 'x' })).error).toMatchObject({ code: -32602 });
  expect(await probe.request('ping')).toMatchObject({ result: {} });
});

test('M48 each tool is read only, described, typed on both sides, and answers from the facts of the moment', async () => {
  const path = await writtenFacts();
  const probe = start(path);
  const tools = (await probe.request('tools/list')).result?.['tools'] as Record<string, unknown>[];
  expect(tools.map((tool) => tool['name'])).toEqual(TOOLS);
  for (const tool of tools) expect(tool).toMatchObject({ title: expect.any(String), description: expect.any(String), inputSchema: { type: 'object' }, outputSchema: { type: 'object' }, annotations: { readOnlyHint: true } });
  const call = async (name: string, input = {}) => (await probe.request('tools/call', { name, arguments: input })).result;
  expect(await call('get_platform')).toMatchObject({ isError: false, structuredContent: { cpuCount: 4, memoryBytes: 8_000_000_000, locale: 'zh-CN', timeZone: 'Asia/Shanghai' } });
  expect(await call('get_feature_switches')).toMatchObject({ structuredContent: { switches: { market: true } } });
  expect(await call('list_configured_servers')).toMatchObject({ structuredContent: { servers: facts.servers } });
  expect(await call('get_environment_fact', { name: 'cpu_count' })).toMatchObject({ structuredContent: { name: 'cpu_count', value: 4 } });
  await writeEnvironmentFacts(path, { ...facts, servers: [] });
  expect(await call('get_environment_fact', { name: 'server_count' })).toMatchObject({ structuredContent: { value: 0 } });
  for (const input of [{}, { name: 'constructor' }, { name: 1 }, { name: 'locale', more: 1 }]) expect(await call('get_environment_fact', input)).toMatchObject({ isError: true, content: [{ type: 'text', text: expect.stringContaining('rgument') }] });
});

test('M48 without facts, or with broken ones, every tool says so in a sentence and does not fail the session', async () => {
  const broken = join(mkdtempSync(join(tmpdir(), 'gantry-facts-')), 'facts.json');
  const misled = start(broken);
  for (const content of ['{"format":"other"}', '{', '[]', '{"format":"gantry-facts/1"}', '{"format":"gantry-facts/1","servers":[null]}']) {
    writeFileSync(broken, content);
    for (const name of ['get_versions', 'get_platform', 'get_feature_switches', 'list_configured_servers']) expect((await misled.request('tools/call', { name })).result, `${content} ${name}`).toMatchObject({ isError: true });
  }
  for (const probe of [start(), start('/nonexistent/facts.json')]) {
    for (const name of TOOLS) expect((await probe.request('tools/call', { name, arguments: name === 'get_environment_fact' ? { name: 'locale' } : {} })).result).toMatchObject({ isError: true, content: [{ type: 'text', text: expect.stringMatching(/^[A-Z].*\.$/) }] });
  }
});

test('M49 facts are written whole, mode 0600, and carry nothing that their shape does not name', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gantry-facts-'));
  const path = join(dir, 'facts.json');
  const sneaky = { ...facts, env: { TOKEN: 'canary' }, servers: facts.servers.map((server) => ({ ...server, env: { KEY: 'canary' }, url: 'https://x/?key=canary' })) };
  await Promise.all([writeEnvironmentFacts(path, sneaky), writeEnvironmentFacts(path, sneaky)]);
  expect(readdirSync(dir)).toEqual(['facts.json']);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  const probe = start(path);
  expect(JSON.stringify((await probe.request('tools/call', { name: 'list_configured_servers' })).result)).not.toContain('canary');
  expect(await writeEnvironmentFacts(path, { ...facts, cpuCount: 0 })).toMatchObject({ ok: false, error: { code: 'invalid_request', field: 'cpuCount' } });
  expect(await writeEnvironmentFacts(join(dir, 'gone', 'facts.json'), facts)).toMatchObject({ ok: false, error: { code: 'store_write_failed' } });
});
