import { afterEach, expect, test } from 'vitest';
import type { Contact } from '../../../shared/outbound.ts';
import { systemClock } from '../../clock.ts';
import { Outbound } from '../../network/outbound.ts';
import { namesLead, plainPoolNetwork } from '../../network/plain-network.fixture.ts';
import { DIRECT } from '../../network/proxy-route.ts';
import { census, createHarness, ECHO, textOf, type Harness } from '../../servers/pool-harness.fixture.ts';
import { readAddressAgreements } from '../../store/address-agreements.ts';
import { readServer } from '../../store/servers.ts';
import { addressRequests } from './address-requests.ts';

const open: Harness[] = [];
afterEach(async () => {
  const marks = open.map((h) => h.mark);
  await Promise.all(open.splice(0).map((h) => h.close()));
  expect(marks.flatMap(census)).toEqual([]);
});

const asked = { kind: 'window', canDecide: false } as const;
const names: Record<string, string[]> = {};
const contacts: Contact[] = [];
/** A server at http://<host>:<port>/mcp, where the table says that the name leads. */
const reachedAt = async (host: string) => {
  const outbound = new Outbound({ config: () => Promise.resolve(DIRECT), resolve: (name, options, done) => namesLead(names)(name, options, done), onContact: (note) => contacts.push({ ...note, count: 1, lastAt: 1 }) });
  const h = createHarness({ network: { ...plainPoolNetwork(), outbound } });
  open.push(h);
  const base = new URL(await h.serveFake('srv', { transport: 'http', tools: [ECHO], script: [] }));
  h.add('srv', { kind: 'http', url: `http://${host}:${base.port}/mcp` });
  const requests = addressRequests({ pool: h.pool, store: h.store, clock: systemClock, contacts: () => contacts, withRow: async (serverId, then) => then(h.store.read((db) => readServer(db, serverId))!) });
  const agree = (kind: 'loopback' | 'private' | null, at = host) => requests['servers:agree-address']({ serverId: 'srv', host: at, kind }, asked as never);
  return { h, agree, contacted: () => requests['servers:contacted']({ serverId: 'srv' }, asked as never) };
};

test('NG04 N06 a public name that leads to this computer is refused until the person agrees to that by name; taken back, it is refused again', async () => {
  names['mcp.example'] = ['127.0.0.1'];
  const { h, agree } = await reachedAt('mcp.example');
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'address_refused', fault: { details: { host: 'mcp.example', address: '127.0.0.1', kind: 'loopback', agreeable: true } } });
  // final until something changes: nothing is tried again by itself
  expect(h.pool.status('srv')).not.toHaveProperty('retryAt');
  expect(h.records('srv').filter(({ ev }) => ev === 'http')).toEqual([]);
  expect(await agree('loopback', 'other.example')).toMatchObject({ ok: false, error: { code: 'invalid_request', field: '/host', details: { host: 'mcp.example' } } });
  expect(await agree('private')).toMatchObject({ ok: true, value: { state: 'unavailable', code: 'address_refused' } });
  expect(await agree('loopback')).toMatchObject({ ok: true, value: { state: 'ready' } });
  expect(textOf(await h.call('srv', 'echo', { text: 'hi' }))).toBe('hi');
  expect(h.store.read((db) => readAddressAgreements(db, 'srv'))).toMatchObject([{ host: 'mcp.example', kind: 'private' }, { host: 'mcp.example', kind: 'loopback' }]);

  // the same name leads elsewhere from now on: a call on a fresh connection is refused before anything is sent
  names['mcp.example'] = ['169.254.169.254'];
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'ready' });
  await h.pool.suspend('srv');
  expect(await h.pool.connect('srv')).toMatchObject({ state: 'unavailable', code: 'address_refused', fault: { details: { kind: 'metadata', agreeable: false } } });

  names['mcp.example'] = ['127.0.0.1'];
  expect(await agree(null)).toMatchObject({ ok: true, value: { state: 'unavailable', code: 'address_refused' } });
  expect(h.store.read((db) => readAddressAgreements(db, 'srv'))).toEqual([]);
});

test('N11 NG10 what the host contacted for a server is listed with the address that its name led to, and nothing of other servers', async () => {
  contacts.length = 0;
  names['nas.local'] = ['127.0.0.1'];
  const { h, contacted } = await reachedAt('nas.local');
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  contacts.push({ purpose: 'remote_server', host: 'other.example', port: 443, via: null, serverId: 'other', address: null, count: 1, lastAt: 1 });
  const told = await contacted();
  expect(told).toMatchObject({ ok: true });
  const seen = told.ok ? told.value.contacted : [];
  expect(new Set(seen.map(({ purpose, host, serverId }) => `${purpose} ${host} ${serverId}`))).toEqual(new Set(['remote_server nas.local srv']));
  expect(seen.some(({ address }) => address === '127.0.0.1')).toBe(true);
});
