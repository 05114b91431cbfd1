import { expect, test } from 'vitest';
import { SqliteStore } from '../store/database.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { insertServer } from '../store/servers.ts';
import { ContactList } from './contact-list.ts';

const note = (host: string, serverId: string | null = null, address: string | null = null) => ({ purpose: 'remote_server', host, port: 443, via: null, serverId, address }) as const;
const addServer = (store: SqliteStore, id: string): void =>
  store.write((db) => insertServer(db, { id, name: id, spec: { kind: 'command', command: 'x' }, args: [], env: {}, headers: {}, placeholders: null, home: 'user', enabled: true, required: false, era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: 1 }));

test('NG10 NW20 whom Gantry contacted is known over a restart, without what was for a server that is none any more', () => {
  const store = openTestStore();
  let at = 0;
  const clock = { now: () => (at += 1), monotonic: () => 0 };
  for (const id of ['srv', 'gone', 'left']) addServer(store, id);
  const before = new ContactList({ store, clock });
  for (const one of [note('a.example', 'srv'), note('a.example', 'srv', '127.0.0.9'), note('gone.example', 'gone'), note('left.example', 'left'), note('npm.example'), note('a.example', 'srv')]) before.note(one);
  before.write();
  before.forgetServer('gone');
  before.write();
  store.connection.exec("DELETE FROM servers WHERE id = 'left'");
  store.close();

  const again = new SqliteStore(store.path);
  const after = new ContactList({ store: again, clock });
  expect(after.all()).toEqual([{ ...note('npm.example'), count: 1, lastAt: 5 }, { ...note('a.example', 'srv', '127.0.0.9'), count: 2, lastAt: 6 }]);
  after.note(note('a.example', 'srv'));
  expect(after.all().at(-1)).toMatchObject({ host: 'a.example', count: 3, lastAt: 7 });
  after.write();
  again.close();
});

test('NG10 a server that names ever new addresses pushes out its own contacts alone', () => {
  const store = openTestStore();
  addServer(store, 'srv');
  const list = new ContactList({ store, clock: { now: () => 1, monotonic: () => 0 } });
  list.note(note('npm.example'));
  for (let i = 0; i < 700; i += 1) list.note(note(`h${i}.example`, 'srv'));
  expect([list.all().length, list.all()[0]?.host, list.all()[1]?.host]).toEqual([101, 'npm.example', 'h600.example']);
  for (let i = 0; i < 700; i += 1) list.note(note(`h${i}.example`));
  expect(list.all()).toHaveLength(500);
  list.write();
  expect(new ContactList({ store, clock: { now: () => 1, monotonic: () => 0 } }).all()).toHaveLength(500);
  store.close();
});
