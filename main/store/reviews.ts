import { z } from 'zod';
import type { Tier } from '../../shared/tier.ts';
import { TierSchema } from '../../shared/tier-schema.ts';
import type { ReadDb, WriteDb } from './database.ts';

/** A person's review of one definition of one capability: the latest one holds. */
export interface ReviewRow {
  readonly capabilityId: string;
  readonly definitionFingerprint: string;
  readonly tier: Tier;
  readonly admit: boolean;
  readonly purpose: string | null;
  readonly reviewedBy: string;
  /** ms since epoch */
  readonly at: number;
}

const RowSchema = z.object({
  capability_id: z.string(),
  definition_fingerprint: z.string(),
  tier: TierSchema,
  admit: z.union([z.literal(0), z.literal(1)]),
  purpose: z.string().nullable(),
  reviewed_by: z.string(),
  at: z.number(),
});

const parseRow = (row: unknown): ReviewRow => {
  const r = RowSchema.parse(row);
  return { capabilityId: r.capability_id, definitionFingerprint: r.definition_fingerprint, tier: r.tier, admit: r.admit === 1, purpose: r.purpose, reviewedBy: r.reviewed_by, at: r.at };
};

export const listReviews = (db: ReadDb): readonly ReviewRow[] => db.all('SELECT * FROM reviews ORDER BY at').map(parseRow);

export const putReview = (db: WriteDb, row: ReviewRow): void => {
  db.run(
    `INSERT INTO reviews (capability_id, definition_fingerprint, tier, admit, purpose, reviewed_by, at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (capability_id, definition_fingerprint) DO UPDATE SET tier = excluded.tier, admit = excluded.admit, purpose = excluded.purpose,
       reviewed_by = excluded.reviewed_by, at = excluded.at`,
    [row.capabilityId, row.definitionFingerprint, row.tier, row.admit ? 1 : 0, row.purpose, row.reviewedBy, row.at],
  );
};

/** For capabilities that are gone with their server: another server under the same id inherits nothing. */
export const deleteReviews = (db: WriteDb, capabilityIds: readonly string[]): void => {
  db.run('DELETE FROM reviews WHERE capability_id IN (SELECT value FROM json_each(?))', [JSON.stringify(capabilityIds)]);
};

export const deleteOrphanReviews = (db: WriteDb): number => db.run('DELETE FROM reviews WHERE capability_id NOT IN (SELECT id FROM capabilities)');
