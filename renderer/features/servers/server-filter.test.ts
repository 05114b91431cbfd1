import { expect, test } from 'vitest';
import type { ServerSummary } from '../../../shared/server.ts';
import { filterServers, isNarrowed, NO_SERVER_FILTER, SERVER_FILTER } from './server-filter.ts';

const server = (id: string, more: Partial<ServerSummary>): ServerSummary =>
  ({ id, name: id, spec: { kind: 'command', command: 'node', args: ['/srv/app.mjs'] }, status: { state: 'ready' }, enabled: true, quarantinedAt: null, agentAccess: { tools: 2, allowed: 0, allowable: 2 }, ...more }) as unknown as ServerSummary;

const ALL = [
  server('files', { name: 'Filesystem', spec: { kind: 'npm', package: '@modelcontextprotocol/server-filesystem' }, agentAccess: { tools: 3, allowed: 2, allowable: 3 } }),
  server('remote', { name: '天气服务', spec: { kind: 'http', url: 'https://mcp.weather.example/mcp' }, status: { state: 'unavailable', code: 'connection_failed' } as ServerSummary['status'] }),
  server('off', { enabled: false }),
  server('broken', { spec: { kind: 'unreadable' } }),
];
const found = (filter: Partial<typeof NO_SERVER_FILTER>): string[] => filterServers(ALL, { ...NO_SERVER_FILTER, ...filter }).map(({ id }) => id);

test('U146 servers are found by every word in name, id or source, by state and by what the agent may use', () => {
  expect(found({})).toEqual(['files', 'remote', 'off', 'broken']);
  expect(found({ words: 'FILE server-' })).toEqual(['files']);
  expect(found({ words: '天气' })).toEqual(['remote']);
  expect(found({ words: 'weather.example' })).toEqual(['remote']);
  expect(found({ words: 'app.mjs node' })).toEqual(['off']);
  expect(found({ words: 'files weather' })).toEqual([]);
  expect(found({ state: 'disabled' })).toEqual(['off']);
  expect(found({ state: 'ready' })).toEqual(['files', 'broken']);
  expect(found({ access: 'some' })).toEqual(['files']);
  expect(found({ access: 'none', words: 'off' })).toEqual(['off']);
});

test('U80 the filters of the servers are read back from their address; what there is not narrows nothing', () => {
  const filter = { words: 'a & b=c?', state: 'quarantined', access: 'none' } as const;
  expect(SERVER_FILTER.read(SERVER_FILTER.write(filter))).toEqual(filter);
  expect(SERVER_FILTER.write(NO_SERVER_FILTER)).toBe('');
  expect(SERVER_FILTER.read('state=asleep&access=all&more=1')).toEqual(NO_SERVER_FILTER);
  expect(SERVER_FILTER.read(`q=${'x'.repeat(5000)}`).words).toHaveLength(200);
  expect([isNarrowed(NO_SERVER_FILTER), isNarrowed({ ...NO_SERVER_FILTER, words: ' ' }), isNarrowed({ ...NO_SERVER_FILTER, access: 'some' })]).toEqual([false, false, true]);
});
