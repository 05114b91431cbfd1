import { ToldSchema, type Told } from '../../shared/call.ts';
import type { Fault } from '../../shared/fault.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { Store } from '../store/database.ts';
import { eventPage, toEvent } from '../store/events.ts';
import { getInvocation } from '../store/invocations.ts';

/** Of one call; more is not read. */
const MOST_TOLD = 20;

/** What a model was told of a call, from the evidence; a row that cannot be read is left to the evidence. Error: not_found. */
export const readTold = (store: Store, invocationId: string): Result<{ told: Told[] }, Fault> =>
  store.read((db) => {
    const row = getInvocation(db, invocationId);
    if (!row) return err(fault('not_found', 'There is no such call.'));
    const { rows } = eventPage(db, row.runId, { invocationIds: [invocationId], types: ['call.told'], offset: 0, limit: MOST_TOLD });
    return ok({
      told: rows.map(toEvent).flatMap(({ at, data }) => {
        const read = ToldSchema.safeParse({ ...data, at });
        return read.success ? [read.data] : [];
      }),
    });
  });
