import { readFileSync } from 'node:fs';
import DatabaseConstructor from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openTestStore } from './open-test-store.ts';
import { scrubCopy } from './prepare-restored.ts';
import { addChoice, makeChoiceKey } from './tool-choices.ts';

test('SE24 a copy for a backup holds nothing of what was learned', () => {
  const store = openTestStore();
  const key = store.write((db) => {
    addChoice(db, { principal: 'agent:default', definitionFingerprint: 'of one', words: [Buffer.alloc(8, 1), Buffer.alloc(8, 2)], accepted: true, at: 1 }, () => 1);
    return makeChoiceKey(db);
  });
  store.settle();
  const path = `${store.path}.copy`;
  store.connection.exec(`VACUUM INTO '${path}'`);
  const learned = (): number => {
    const db = new DatabaseConstructor(path, { readonly: true });
    const sum = ['choice_key', 'tool_choices', 'choice_counts'].reduce((all, table) => all + Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()), 0);
    db.close();
    return sum;
  };
  expect(learned()).toBe(4);
  scrubCopy(path);
  expect(learned()).toBe(0);
  expect(readFileSync(path).includes(key)).toBe(false);
  store.close();
});
