import { z } from 'zod';
import { ServerFactSchema, type ServerFact } from '../../shared/server.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

/** Facts kept for one server; the oldest leave first. */
export const FACTS_PER_SERVER = 200;

const RowSchema = z.object({ step: z.string(), at: z.number(), ok: z.number(), data_json: z.string() });

const parseRow = (row: unknown): ServerFact => {
  const r = RowSchema.parse(row);
  return ServerFactSchema.parse({ step: r.step, at: r.at, ok: r.ok === 1, data: JSON.parse(r.data_json) });
};

/** Adds one fact and drops what is over the bound. `data` must not hold a secret. */
export const addServerFact = (db: WriteDb, serverId: string, fact: ServerFact): void => {
  db.run('INSERT INTO server_facts (server_id, step, at, ok, data_json) VALUES (?, ?, ?, ?, ?)', [serverId, fact.step, fact.at, fact.ok ? 1 : 0, JSON.stringify(fact.data)]);
  db.run('DELETE FROM server_facts WHERE server_id = ? AND id <= (SELECT id FROM server_facts WHERE server_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)', [serverId, serverId, FACTS_PER_SERVER]);
};

/** Those that can be read, newest last. */
export const listServerFacts = (db: ReadDb, serverId: string): ServerFact[] =>
  readableRows(db.all('SELECT step, at, ok, data_json FROM server_facts WHERE server_id = ? ORDER BY id', [serverId]), parseRow);
