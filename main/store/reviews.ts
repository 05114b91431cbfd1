import { z } from 'zod';
import { CallClassSchema } from '../../shared/call-class-schema.ts';
import type { CallClass } from '../../shared/call-class.ts';
import { IdempotencySchema } from '../../shared/idempotency.ts';
import type { Idempotency } from '../../shared/idempotency.ts';
import type { Tier } from '../../shared/tier.ts';
import { TierSchema } from '../../shared/tier-schema.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readableRows } from './readable-rows.ts';

/** A person's review of one definition of one capability: the latest one holds. */
export interface ReviewRow {
  readonly capabilityId: string;
  readonly definitionFingerprint: string;
  readonly tier: Tier;
  readonly admit: boolean;
  readonly purpose: string | null;
  /** null: it follows from the tier */
  readonly callClass: CallClass | null;
  readonly idempotency: Idempotency | null;
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
  call_class: z.string().nullable(),
  idempotency_json: z.string().nullable(),
  reviewed_by: z.string(),
  at: z.number(),
});

/** A class that this version does not know follows from the tier; what it does not know of repeats makes the row unreadable: nothing may be sent as if it were not there. */
const parseRow = (row: unknown): ReviewRow => {
  const r = RowSchema.parse(row);
  const callClass = CallClassSchema.safeParse(r.call_class);
  return { capabilityId: r.capability_id, definitionFingerprint: r.definition_fingerprint, tier: r.tier, admit: r.admit === 1, purpose: r.purpose, callClass: callClass.success ? callClass.data : null, idempotency: r.idempotency_json === null ? null : IdempotencySchema.parse(JSON.parse(r.idempotency_json)), reviewedBy: r.reviewed_by, at: r.at };
};

/** Those that can be read: a capability whose review cannot waits for another. */
export const listReviews = (db: ReadDb): readonly ReviewRow[] => readableRows(db.all('SELECT * FROM reviews ORDER BY at'), parseRow);

export const putReview = (db: WriteDb, row: ReviewRow): void => {
  db.run(
    `INSERT INTO reviews (capability_id, definition_fingerprint, tier, admit, purpose, reviewed_by, at, call_class, idempotency_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (capability_id, definition_fingerprint) DO UPDATE SET tier = excluded.tier, admit = excluded.admit, purpose = excluded.purpose,
       reviewed_by = excluded.reviewed_by, at = excluded.at, call_class = excluded.call_class, idempotency_json = excluded.idempotency_json`,
    [row.capabilityId, row.definitionFingerprint, row.tier, row.admit ? 1 : 0, row.purpose, row.reviewedBy, row.at, row.callClass, row.idempotency === null ? null : JSON.stringify(row.idempotency)],
  );
};

/** For capabilities that are gone with their server: another server under the same id inherits nothing. */
export const deleteReviews = (db: WriteDb, capabilityIds: readonly string[]): void => {
  db.run('DELETE FROM reviews WHERE capability_id IN (SELECT value FROM json_each(?))', [JSON.stringify(capabilityIds)]);
};

export const deleteOrphanReviews = (db: WriteDb): number => db.run('DELETE FROM reviews WHERE capability_id NOT IN (SELECT id FROM capabilities)');
