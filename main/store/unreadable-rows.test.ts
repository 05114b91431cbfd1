import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { listCapabilities, putCapability } from './capabilities.ts';
import { getDefinition, listDefinitionsInUse, putDefinition } from './definitions.ts';
import { readDiscovery } from './discoveries.ts';
import { readInstallation, saveInstallation } from './installations.ts';
import { openStore } from './open.ts';
import { addServerFact, listServerFacts } from './server-facts.ts';
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

test('D32 an installation, a last reading and facts that cannot be read are left out, and whoever asks for their server is answered', async () => {
  const opened = await openStore({ dataDir: mkdtempSync(join(tmpdir(), 'gantry-rows-')), clock: systemClock });
  if (!opened.ok) throw new Error(opened.error.message);
  const { store, notices } = opened.value;
  const fact = { step: 'connected', at: 1, ok: true, data: { era: 'modern' } } as const;
  const none = { outcome: 'not_offered' } as const;
  const discovery = { at: 1, durationMs: 1, protocolVersion: '2026-07-28', serverInfo: null, instructions: null, tools: none, resources: none, prompts: none };
  store.write((db) => {
    insertServer(db, { id: 'a', name: 'a', spec: { kind: 'npm', package: 'x' }, args: [], env: {}, headers: {}, placeholders: null, home: 'own', enabled: true, required: false, era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: 1 });
    saveInstallation(db, 'a', { kind: 'npm', package: 'x', version: '1.0.0', integrity: 'sha512-x', lockSha256: 'l', dir: '/d', entry: '/d/e', sizeBytes: 1, installedAt: 1, scripts: [] });
    db.run('INSERT INTO discoveries (server_id, fact_json) VALUES (?, ?)', ['a', JSON.stringify(discovery)]);
    for (const at of [1, 2]) addServerFact(db, 'a', { ...fact, at });
  });
  expect([store.read((db) => readInstallation(db, 'a'))?.version, store.read((db) => listServerFacts(db, 'a')).length]).toEqual(['1.0.0', 2]);
  for (const broken of ["'{'", "''", '-1', "'[1]'"]) {
    store.write((db) => {
      db.run(`UPDATE installations SET scripts_json = ${broken === "'[1]'" ? broken : "'{'"}`);
      db.run(`UPDATE discoveries SET fact_json = ${broken}`);
      db.run(`UPDATE server_facts SET data_json = ${broken} WHERE at = 1`);
    });
    expect(store.read((db) => [readInstallation(db, 'a'), readDiscovery(db, 'a'), listServerFacts(db, 'a').map((one) => one.at)])).toEqual([null, null, [2]]);
  }
  expect(notices().map((notice) => notice.details)).toEqual([{ table: 'installations', count: 1, rows: ['a'] }, { table: 'discoveries', count: 1, rows: ['a'] }]);
  store.close();
});
