import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ReadDb, WriteDb } from './database.ts';

/** What became of a call, for one definition and the words of its request (keyed hashes). */
export interface ToolChoice {
  readonly principal: string;
  readonly definitionFingerprint: string;
  readonly words: readonly Buffer[];
  readonly accepted: boolean;
  /** ms since epoch */
  readonly at: number;
}
/** Counts as they were at `at`. */
export interface WordCounts {
  readonly definitionFingerprint: string;
  readonly accepted: number;
  readonly refused: number;
  readonly at: number;
}

/** Rows; the oldest go. About 2 MB. */
const MOST_ROWS = 20_000;
const WordCountsSchema = z.object({ definition_fingerprint: z.string(), accepted: z.number(), refused: z.number(), at: z.number() });
const KeySchema = z.object({ key: z.instanceof(Buffer) });
const CountsSchema = z.array(z.object({ kind: z.enum(['accepted', 'refused']), count: z.number() }));

/** The key that words are hashed with; null before the first choice. */
export const readChoiceKey = (db: ReadDb): Buffer | null => {
  const row = db.get('SELECT key FROM choice_key');
  return row === undefined ? null : KeySchema.parse(row).key;
};

export const makeChoiceKey = (db: WriteDb): Buffer => {
  const key = readChoiceKey(db) ?? randomBytes(32);
  db.run('INSERT INTO choice_key (id, key) VALUES (1, ?) ON CONFLICT (id) DO NOTHING', [key]);
  return key;
};

/** Counts one choice; what was counted before has faded by `fade(ms since)`, 0 to 1. */
export const addChoice = (db: WriteDb, { principal, definitionFingerprint, words, accepted, at }: ToolChoice, fade: (ms: number) => number): void => {
  for (const word of words) {
    const raw = db.get('SELECT definition_fingerprint, accepted, refused, at FROM tool_choices WHERE principal = ? AND definition_fingerprint = ? AND word = ?', [principal, definitionFingerprint, word]);
    const before = raw === undefined ? { accepted: 0, refused: 0, at } : WordCountsSchema.parse(raw);
    const left = fade(Math.max(0, at - before.at));
    db.run('INSERT OR REPLACE INTO tool_choices (principal, definition_fingerprint, word, accepted, refused, at) VALUES (?, ?, ?, ?, ?, ?)', [
      principal, definitionFingerprint, word, before.accepted * left + (accepted ? 1 : 0), before.refused * left + (accepted ? 0 : 1), at,
    ]);
  }
  db.run('INSERT INTO choice_counts (kind, count) VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET count = count + 1', [accepted ? 'accepted' : 'refused']);
  db.run('DELETE FROM tool_choices WHERE (principal, definition_fingerprint, word) IN (SELECT principal, definition_fingerprint, word FROM tool_choices ORDER BY at DESC LIMIT -1 OFFSET ?)', [MOST_ROWS]);
};

/** What these principals' choices say of one word. */
export const choicesOfWord = (db: ReadDb, word: Buffer, principals: readonly string[]): readonly WordCounts[] =>
  db.all(`SELECT definition_fingerprint, accepted, refused, at FROM tool_choices WHERE word = ? AND principal IN (${principals.map(() => '?').join(', ')})`, [word, ...principals]).map((raw) => {
    const { definition_fingerprint: definitionFingerprint, ...counts } = WordCountsSchema.parse(raw);
    return { definitionFingerprint, ...counts };
  });

export const countChoices = (db: ReadDb): { readonly accepted: number; readonly refused: number } => {
  const rows = CountsSchema.parse(db.all('SELECT kind, count FROM choice_counts'));
  const of = (kind: 'accepted' | 'refused'): number => rows.find((row) => row.kind === kind)?.count ?? 0;
  return { accepted: of('accepted'), refused: of('refused') };
};

/** Everything that was learned, and its key. */
export const clearChoices = (db: WriteDb): void => {
  db.run('DELETE FROM tool_choices');
  db.run('DELETE FROM choice_counts');
  db.run('DELETE FROM choice_key');
};
