import { readFileSync } from 'node:fs';
import DatabaseConstructor from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeSpace, putVectors, readSpace } from './embedding-vectors.ts';
import { openTestStore } from './open-test-store.ts';
import { scrubCopy } from './prepare-restored.ts';

test('EM15 a copy for a backup holds no vector', () => {
  const store = openTestStore();
  const vector = Buffer.from('a vector that nobody else has');
  store.write((db) => putVectors(db, makeSpace(db, 'space', 25, 1).id, 'whole', [['of one', vector]]));
  store.settle();
  const path = `${store.path}.copy`;
  store.connection.exec(`VACUUM INTO '${path}'`);
  expect(readFileSync(path).includes(vector)).toBe(true);
  scrubCopy(path);
  const db = new DatabaseConstructor(path, { readonly: true });
  expect(['embedding_vectors', 'embedding_spaces'].map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())).toEqual([0, 0]);
  db.close();
  expect(readFileSync(path).includes(vector)).toBe(false);
  store.close();
});

test('EM03 three spaces are kept, the one in use and those used last', () => {
  const store = openTestStore();
  store.write((db) => {
    for (const [at, name] of ['a', 'b', 'c', 'a', 'd'].entries()) makeSpace(db, name, 8, at);
  });
  expect(['a', 'b', 'c', 'd'].filter((name) => store.read((db) => readSpace(db, name)) !== null)).toEqual(['a', 'c', 'd']);
  store.close();
});
