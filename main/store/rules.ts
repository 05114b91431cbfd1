import { z } from 'zod';
import { PolicyRuleSchema } from '../../shared/rule.ts';
import type { PolicyRule } from '../../shared/rule.ts';
import type { ReadDb, WriteDb } from './database.ts';

const Row = z.object({ id: z.string(), rule_json: z.string(), created_at: z.number(), expires_at: z.number().nullable(), revoked_at: z.number().nullable() });

/** A rule, or the row that cannot be read and why: policy fails closed on the latter (A11). */
export type StoredRule = { readonly kind: 'rule'; readonly rule: PolicyRule } | { readonly kind: 'broken'; readonly id: string; readonly createdAt: number; readonly cause: string };

const readRule = (raw: unknown): StoredRule => {
  const row = Row.parse(raw);
  try {
    const rule = PolicyRuleSchema.parse(JSON.parse(row.rule_json));
    // expiry and revocation are the columns' word, so that a rule text cannot outlive them
    return { kind: 'rule', rule: { ...rule, id: row.id, builtIn: false, createdAt: row.created_at, expiresAt: row.expires_at, revokedAt: row.revoked_at } };
  } catch (error) {
    const cause = error instanceof z.ZodError ? error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ') : 'it is not JSON';
    return { kind: 'broken', id: row.id, createdAt: row.created_at, cause };
  }
};

export const insertRule = (db: WriteDb, rule: PolicyRule): void => {
  db.run('INSERT INTO rules (id, rule_json, created_at, expires_at, revoked_at) VALUES (?,?,?,?,?)', [rule.id, JSON.stringify(rule), rule.createdAt, rule.expiresAt, rule.revokedAt]);
};

/** All rules that are not revoked, oldest first; expired ones too, so that the page can show them. */
export const standingRules = (db: ReadDb): readonly StoredRule[] =>
  db.all('SELECT * FROM rules WHERE revoked_at IS NULL ORDER BY created_at, id').map(readRule);

/** True when a rule that stood was revoked. */
export const revokeRule = (db: WriteDb, id: string, at: number): boolean => db.run('UPDATE rules SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', [at, id]) === 1;
