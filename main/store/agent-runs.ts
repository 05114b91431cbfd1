import { z } from 'zod';
import type { Run } from '../../shared/run.ts';
import { AnswerSchema, type Answer } from '../../shared/conversation.ts';
import type { Usage } from '../../shared/model.ts';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

/** What lists show of an agent's run beside the run itself. Words are masked, as in evidence. */
export interface AgentRunRow {
  readonly runId: string;
  /** null: the conversation was removed */
  readonly conversationId: string | null;
  readonly profileId: string;
  readonly modelId: string | null;
  readonly model: string;
  readonly prompt: string;
  readonly answer: Answer | null;
  readonly requests: number;
  readonly usage: Usage;
}

/** After every id of a run. */
const LAST_ID = '\uffff';

const RowSchema = z.object({
  run_id: z.string(), conversation_id: z.string().nullable(), profile_id: z.string(), model_id: z.string().nullable(), model: z.string(), prompt: z.string(), answer_json: z.string().nullable(), requests: z.number(),
  input_tokens: z.number(), output_tokens: z.number(), cached_tokens: z.number(), cost: z.number().nullable(), currency: z.string().nullable(), estimated: z.number(),
});
const parse = (row: unknown): AgentRunRow => {
  const r = RowSchema.parse(row);
  return {
    runId: r.run_id, conversationId: r.conversation_id, profileId: r.profile_id, modelId: r.model_id, model: r.model, prompt: r.prompt, answer: r.answer_json === null ? null : AnswerSchema.parse(JSON.parse(r.answer_json)), requests: r.requests,
    usage: { inputTokens: r.input_tokens, outputTokens: r.output_tokens, cachedTokens: r.cached_tokens, cost: r.cost, currency: r.currency, estimated: r.estimated === 1 },
  };
};

export const insertAgentRun = (db: WriteDb, row: Pick<AgentRunRow, 'runId' | 'conversationId' | 'profileId' | 'modelId' | 'model' | 'prompt'>): void => {
  db.run('INSERT INTO agent_runs (run_id, conversation_id, profile_id, model_id, model, prompt) VALUES (?, ?, ?, ?, ?, ?)', [row.runId, row.conversationId, row.profileId, row.modelId, row.model, row.prompt]);
};

/** The usage of all its requests until now. */
export const moveUsage = (db: WriteDb, runId: string, requests: number, usage: Usage): void => {
  db.run('UPDATE agent_runs SET requests = ?, input_tokens = ?, output_tokens = ?, cached_tokens = ?, cost = ?, currency = ?, estimated = ? WHERE run_id = ?', [
    requests, usage.inputTokens, usage.outputTokens, usage.cachedTokens, usage.cost, usage.currency, usage.estimated ? 1 : 0, runId,
  ]);
};

export const putAnswer = (db: WriteDb, runId: string, answer: Answer): void => {
  db.run('UPDATE agent_runs SET answer_json = ? WHERE run_id = ?', [JSON.stringify(answer), runId]);
};

export const agentRunsOf = (db: ReadDb, runIds: readonly string[]): ReadonlyMap<string, AgentRunRow> =>
  new Map(readableRows(db.all('SELECT * FROM agent_runs WHERE run_id IN (SELECT value FROM json_each(?))', [JSON.stringify(runIds)]), parse).map((row) => [row.runId, row]));

/** The newest of a conversation, or those before a run, oldest first; `earlier`: how many come before them. */
export const agentRunsPage = (db: ReadDb, conversationId: string, { before, limit }: { readonly before?: string | undefined; readonly limit: number }): { readonly rows: readonly AgentRunRow[]; readonly earlier: number } => {
  const newest = db.all('SELECT * FROM agent_runs WHERE conversation_id = ? AND run_id < ? ORDER BY run_id DESC LIMIT ?', [conversationId, before ?? LAST_ID, limit]);
  const first = newest.at(-1) === undefined ? null : z.object({ run_id: z.string() }).parse(newest.at(-1)).run_id;
  return { rows: readableRows(newest.reverse(), parse), earlier: first === null ? 0 : countIn(db.get('SELECT count(*) AS n FROM agent_runs WHERE conversation_id = ? AND run_id < ?', [conversationId, first])) };
};

/** Whether two runs are questions of one conversation to one profile. */
export const isSameTalk = (db: ReadDb, runId: string, otherId: string): boolean =>
  db.get('SELECT 1 AS same FROM agent_runs a JOIN agent_runs b ON b.conversation_id = a.conversation_id AND b.profile_id = a.profile_id WHERE a.run_id = ? AND b.run_id = ?', [runId, otherId]) !== undefined;

const LabelRow = z.object({ label: z.string(), invocation_id: z.string(), grounded: z.number().nullable() });

const IdRow = z.object({ run_id: z.string() });

/** A conversation's questions before a run, oldest first. */
export const runsBefore = (db: ReadDb, conversationId: string, runId: string): readonly string[] => db.all('SELECT run_id FROM agent_runs WHERE conversation_id = ? AND run_id < ? ORDER BY run_id', [conversationId, runId]).map((row) => IdRow.parse(row).run_id);

/** The labels that results of a conversation's questions were told with, from one run to another. */
export const labelsOf = (db: ReadDb, conversationId: string, from: string, to: string): readonly { readonly label: string; readonly invocationId: string; readonly grounded: boolean }[] =>
  db
    .all(
      `SELECT e.data_json ->> '$.label' AS label, e.invocation_id, e.data_json ->> '$.grounded' AS grounded FROM agent_runs a JOIN runs r ON r.id = a.run_id
       JOIN events e ON e.id BETWEEN r.n << 24 AND (r.n << 24) + 16777215 WHERE a.conversation_id = ? AND a.run_id BETWEEN ? AND ? AND e.type = 'call.told' AND e.invocation_id IS NOT NULL AND label IS NOT NULL`,
      [conversationId, from, to],
    )
    .map((row) => LabelRow.parse(row))
    .map(({ label, invocation_id: invocationId, grounded }) => ({ label, invocationId, grounded: grounded === 1 }));

/** Of a run whose record is deleted; a conversation that has no run left goes with its last one. */
export const deleteAgentRun = (db: WriteDb, runId: string): void => {
  const row = db.get('SELECT conversation_id FROM agent_runs WHERE run_id = ?', [runId]);
  if (row === undefined) return;
  const { conversation_id: conversationId } = z.object({ conversation_id: z.string().nullable() }).parse(row);
  db.run('DELETE FROM agent_runs WHERE run_id = ?', [runId]);
  db.run('DELETE FROM conversations WHERE id = ? AND NOT EXISTS (SELECT 1 FROM agent_runs WHERE conversation_id = ?)', [conversationId, conversationId]);
};

/** A run with what its model requests came to. */
export const withAgentFacts = (run: Run, row: AgentRunRow | undefined): Run =>
  row === undefined ? run : { ...run, agent: { conversationId: row.conversationId, profileId: row.profileId, modelId: row.modelId, model: row.model, requests: row.requests, usage: row.usage } };
