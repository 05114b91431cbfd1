import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { listCapabilities, putCapability } from './capabilities.ts';
import { getDefinition, listDefinitionsInUse, putDefinition } from './definitions.ts';
import { openStore } from './open.ts';
import { insertServer, listServerIds, listServers, readServer } from './servers.ts';

test('D32 a row that cannot be read is left out alone, stays, and is told at the start; a new reading of its server mends it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-rows-'));
  const open = async () => {
    const opened = await openStore({ dataDir, clock: systemClock });
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  };
  const first = await open();
  expect(first.notices()).toEqual([]);
  const server = { spec: { kind: 'command', command: 'x' }, args: [], env: {}, headers: {}, placeholders: null, home: 'own', enabled: true, required: false, era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: 1 } as const;
  const definition = (name: string) => ({ fingerprint: `f-${name}`, definition: { name }, schemaState: { state: 'checked' } as const, checkVersion: 1, firstSeenAt: 1 });
  const capability = (name: string) => ({ id: `mcp:a:tool:${name}`, serverId: 'a', kind: 'tool' as const, name, definitionFingerprint: `f-${name}`, sourceFingerprint: 's', flags: [], present: true, firstSeenAt: 1, lastSeenAt: 1 });
  first.store.write((db) => {
    for (const id of ['a', 'b']) insertServer(db, { ...server, id, name: id });
    for (const name of ['one', 'two']) putDefinition(db, definition(name));
    for (const name of ['one', 'two']) putCapability(db, capability(name));
  });
  first.store.write((db) => {
    db.run("UPDATE servers SET env_json = '{' WHERE id = 'b'");
    db.run("UPDATE capabilities SET flags_json = 'x' WHERE name = 'one'");
    db.run("UPDATE definitions SET definition_json = '[' WHERE fingerprint = 'f-two'");
  });
  first.store.close();

  const { store, notices } = await open();
  expect(notices().map((notice) => [notice.code, notice.details])).toEqual([
    ['row_unreadable', { table: 'servers', count: 1, rows: ['b'] }],
    ['row_unreadable', { table: 'capabilities', count: 1, rows: ['mcp:a:tool:one'] }],
    ['row_unreadable', { table: 'definitions', count: 1, rows: ['f-two'] }],
  ]);
  expect(store.read(listServers).map((row) => row.id)).toEqual(['a']);
  expect(store.read((db) => readServer(db, 'b'))).toBeNull();
  expect(store.read(listServerIds).toSorted()).toEqual(['a', 'b']);
  expect(store.read(listCapabilities).map((row) => row.name)).toEqual(['two']);
  expect(store.read((db) => getDefinition(db, 'f-two'))).toBeNull();
  store.write((db) => {
    putDefinition(db, definition('two'));
    putCapability(db, capability('one'));
  });
  expect(store.read(listDefinitionsInUse).map((one) => one.fingerprint).toSorted()).toEqual(['f-one', 'f-two']);
  expect(store.read(listCapabilities)).toHaveLength(2);
  store.close();
});
