import { z } from 'zod';
import { CallStageSchema } from '../../shared/call.ts';
import type { CallStage } from '../../shared/call.ts';
import { stoppedAt } from '../../shared/stopped-at.ts';
import type { ReadDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

const Row = z.object({ capability_id: z.string(), principal: z.string(), stage: CallStageSchema, code: z.string().nullable(), class: z.string().nullable(), created_at: z.number(), message: z.string().nullable(), frozen_input: z.string().nullable() });
const Text = z.object({ text: z.string() });

/** A call that failed. Times in ms since epoch; `stage` is where it ended, as the window tells it; `message` is the fault's, as it is stored: masked; `input` is JSON. */
export interface FailedCall {
  readonly capabilityId: string;
  readonly principal: string;
  readonly stage: CallStage;
  readonly code: string | null;
  readonly class: string | null;
  readonly at: number;
  readonly message: string | null;
  readonly input: string | null;
}

/** Newest first: the last rows of the table are looked at, and no more. */
export const lastFailures = (db: ReadDb, limit: number): readonly FailedCall[] =>
  readableRows(
    db.all(
      `SELECT capability_id, principal, stage, code, class, created_at, CASE WHEN json_valid(fault_json) THEN fault_json ->> 'message' END AS message, frozen_input
       FROM (SELECT * FROM invocations ORDER BY rowid DESC LIMIT 5000) WHERE state = 'failed' ORDER BY created_at DESC LIMIT ?`,
      [limit],
    ),
    (raw) => {
      const r = Row.parse(raw);
      return { capabilityId: r.capability_id, principal: r.principal, stage: stoppedAt(r), code: r.code, class: r.class, at: r.created_at, message: r.message, input: r.frozen_input };
    },
  );

const texts = (rows: readonly unknown[]): readonly string[] => readableRows(rows, (raw) => Text.parse(raw).text);

/** Longest input that is compared with a text, in characters. */
export const LONGEST_COMPARED = 200_000;

/** The inputs of the last calls, as JSON, whatever became of them. */
export const lastInputs = (db: ReadDb, limit: number): readonly string[] =>
  texts(db.all('SELECT frozen_input AS text FROM (SELECT * FROM invocations ORDER BY rowid DESC LIMIT ?) WHERE frozen_input IS NOT NULL AND length(frozen_input) <= ?', [limit, LONGEST_COMPARED]));

/** What persons wrote beside what they did: why a call was denied or approved, what a rule is for, why a server is in quarantine. */
export const wordsOfPersons = (db: ReadDb): readonly string[] =>
  texts(
    db.all(
      `SELECT reason AS text FROM (SELECT * FROM approvals ORDER BY rowid DESC LIMIT 1000) WHERE reason IS NOT NULL AND state IN ('denied', 'approved')
       UNION SELECT rule_json ->> 'note' FROM rules WHERE json_valid(rule_json) AND rule_json ->> 'note' IS NOT NULL
       UNION SELECT data_json ->> 'reason' FROM server_facts WHERE step = 'quarantine' AND json_valid(data_json) AND data_json ->> 'reason' IS NOT NULL`,
    ),
  ).filter((text) => text !== '');
