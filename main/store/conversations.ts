import { z } from 'zod';
import type { Conversation } from '../../shared/conversation.ts';
import { countIn } from './count-row.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { foldText } from './fold-text.ts';
import { readableRows } from './readable-rows.ts';

const RowSchema = z.object({
  id: z.string(), title: z.string(), profile_id: z.string(), created_at: z.number(), updated_at: z.number(), runs: z.number(), last_run_id: z.string().nullable(),
  state: z.enum(['running', 'awaiting_approval', 'completed', 'failed']).nullable().catch(null),
});
const parse = (row: unknown): Conversation => {
  const r = RowSchema.parse(row);
  return { id: r.id, title: r.title, profileId: r.profile_id, createdAt: r.created_at, updatedAt: r.updated_at, runs: r.runs, lastRunId: r.last_run_id, state: r.state };
};
const SELECT = `SELECT c.*, (SELECT count(*) FROM agent_runs a WHERE a.conversation_id = c.id) AS runs,
  (SELECT max(a.run_id) FROM agent_runs a WHERE a.conversation_id = c.id) AS last_run_id,
  (SELECT r.state FROM runs r WHERE r.id = (SELECT max(a.run_id) FROM agent_runs a WHERE a.conversation_id = c.id)) AS state FROM conversations c`;

export const insertConversation = (db: WriteDb, row: Pick<Conversation, 'id' | 'title' | 'profileId' | 'createdAt'>): void => {
  db.run('INSERT INTO conversations (id, title, profile_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)', [row.id, row.title, row.profileId, row.createdAt, row.createdAt]);
};

export const touchConversation = (db: WriteDb, id: string, at: number): void => {
  db.run('UPDATE conversations SET updated_at = ? WHERE id = ?', [at, id]);
};

export const getConversation = (db: ReadDb, id: string): Conversation | null => {
  const row = db.get(`${SELECT} WHERE c.id = ?`, [id]);
  return row === undefined ? null : parse(row);
};

/** The one used last first. */
export const listConversations = (db: ReadDb, page: { readonly limit: number; readonly offset: number }): { readonly conversations: readonly Conversation[]; readonly total: number } => ({
  conversations: readableRows(db.all(`${SELECT} ORDER BY c.updated_at DESC, c.id DESC LIMIT ? OFFSET ?`, [page.limit, page.offset]), parse),
  total: countIn(db.get('SELECT count(*) AS n FROM conversations')),
});

const FoundRow = z.object({ id: z.string(), run_id: z.string().nullable(), prompt: z.string().nullable(), answer: z.string().nullable() });
export interface FoundWords {
  readonly conversationId: string;
  /** null: in the title alone */
  readonly runId: string | null;
  /** the question and the answer that hold them, or the title */
  readonly text: string;
}

/** Runs whose question, answer or conversation's title together hold every one of the words, in every script, whatever their case, accents and width (foldText). The one used last first. */
export const findWords = (db: ReadDb, words: readonly string[], limit: number): readonly FoundWords[] =>
  db
    .all(
      `SELECT c.id, a.run_id, a.prompt, a.answer_json ->> '$.text' AS answer FROM conversations c LEFT JOIN agent_runs a ON a.conversation_id = c.id
       WHERE NOT EXISTS (SELECT 1 FROM json_each(@words) w WHERE instr(fold_text(c.title || char(10) || coalesce(a.prompt, '') || char(10) || coalesce(a.answer_json ->> '$.text', '')), w.value) = 0)
       ORDER BY c.updated_at DESC, a.run_id DESC LIMIT @limit`,
      { words: JSON.stringify(words.map(foldText)), limit },
    )
    .map((raw) => FoundRow.parse(raw))
    .map((row) => ({ conversationId: row.id, runId: row.run_id, text: [row.prompt ?? '', row.answer ?? ''].join('\n').trim() }));

/** Questions whose words are known, and characters of each. */
const MOST_READ = 300;
const MOST_CHARACTERS = 10_000;
const SaidRow = z.object({ said: z.string() });

/** Words of the newest questions, answers and titles, folded, each once: what a misspelt one may have meant. */
export const saidTerms = (db: ReadDb): readonly string[] => {
  const terms = new Set<string>();
  const rows = db.all(
    `SELECT c.title || char(10) || coalesce(substr(a.prompt, 1, @most), '') || char(10) || coalesce(substr(a.answer_json ->> '$.text', 1, @most), '') AS said
     FROM conversations c LEFT JOIN agent_runs a ON a.conversation_id = c.id ORDER BY c.updated_at DESC, a.run_id DESC LIMIT @limit`,
    { most: MOST_CHARACTERS, limit: MOST_READ },
  );
  for (const row of rows) for (const term of foldText(SaidRow.parse(row).said).split(/[^\p{L}\p{N}]+/u)) if (term.length >= 3 && term.length <= 60) terms.add(term);
  return [...terms];
};

/** False where there is none. */
export const renameConversation = (db: WriteDb, id: string, title: string): boolean => db.run('UPDATE conversations SET title = ? WHERE id = ?', [title, id]) === 1;

/** Its words go; the runs keep their evidence, and their usage. False where there is none. */
export const deleteConversation = (db: WriteDb, id: string): boolean => {
  db.run("UPDATE agent_runs SET conversation_id = NULL, prompt = '', answer_json = NULL WHERE conversation_id = ?", [id]);
  return db.run('DELETE FROM conversations WHERE id = ?', [id]) === 1;
};
