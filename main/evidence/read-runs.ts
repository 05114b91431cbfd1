import { ZodError } from 'zod';
import { CallResultSchema } from '../../shared/call.ts';
import type { CallResult, Invocation } from '../../shared/call.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { EvidenceEvent, Run } from '../../shared/run.ts';
import { idsBefore } from '../ordered-id.ts';
import type { ReadDb, Store } from '../store/database.ts';
import { eventsOf } from '../store/events.ts';
import { getInvocation, invocationsOfRun, previewText, resultBytes, resultHead, storedResult } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import type { ReadStore } from '../store/read-only.ts';
import { getRun, listRuns as listRunRows } from '../store/runs.ts';
import { absentRun } from './absent-run.ts';
import { shorten, WINDOW_BUDGET_BYTES } from './result-preview.ts';

const unreadable = (): Fault => fault('row_unreadable', 'The stored result of this call cannot be read.', { details: { table: 'invocations', columns: ['result_json'] } });

/** A stored text that is no result (changed by hand, or written by a newer Gantry) keeps nobody from reading the rest. */
const readable = <T>(read: () => T): Result<T, Fault> => {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ZodError) return err(unreadable());
    throw error;
  }
};

const withShown = (row: InvocationRow, shown: Result<CallResult | null, Fault>): Invocation => (shown.ok ? withResult(row, shown.value) : { ...withResult(row, null), resultFault: shown.error });

const withResult = (row: InvocationRow, result: CallResult | null): Invocation => {
  const { bindingFingerprint: _binding, definitionFingerprint: _definition, ...invocation } = row;
  return { ...invocation, result };
};

/** A result may be somewhat larger in the store than it was on the wire: names and marks are added. */
const READ_WHOLE_BYTES = 2 * WINDOW_BUDGET_BYTES;
const HEAD_CHARACTERS = 16_384;

/**
 * The result within a window's budget; a large one is never read for it: its preview was made when it was judged. One stored without a preview
 * (by a Gantry that made none) is shown by the head of its text.
 */
const shownResult = (db: ReadDb, row: InvocationRow): CallResult | null => {
  const preview = previewText(db, row.id);
  if (preview !== null) return CallResultSchema.parse(JSON.parse(preview));
  const sizeBytes = resultBytes(db, row.id);
  if (sizeBytes <= READ_WHOLE_BYTES) return storedResult(db, row.id);
  const head = shorten(`${resultHead(db, row.id, HEAD_CHARACTERS)} `, HEAD_CHARACTERS);
  const serverId = parseCapabilityId(row.capabilityId)?.serverId ?? '';
  return { content: [{ type: 'text', text: head }], isError: row.code === 'tool_error', extra: {}, sizeBytes, masked: [], notes: [`This is the beginning of the stored text; all of it has ${sizeBytes} bytes.`], source: { serverId, capabilityId: row.capabilityId, serverName: serverId, serverVersion: '' } };
};

/** The contract's invocation with its result, shortened to the window's budget. */
export const readInvocation = (store: Store, id: string): Result<Invocation, Fault> =>
  store.read((db) => {
    const row = getInvocation(db, id);
    return row ? ok(withShown(row, readable(() => shownResult(db, row)))) : err(fault('not_found', 'There is no such call.'));
  });

/** The whole stored result, for a reader of parts or a file. Errors: not_found, row_unreadable. */
export const readWholeResult = (store: Store, invocationId: string): Result<CallResult, Fault> => {
  const read = readable(() => store.read((db) => storedResult(db, invocationId)));
  if (!read.ok) return read;
  const result = read.value;
  return result ? ok(result) : err(fault('not_found', 'This call has no stored result.'));
};

export const invocationWithoutResult = (row: InvocationRow): Invocation => withResult(row, null);

/** Newest first; `before` is a start time in ms. */
export const listRuns = (store: Store, { limit, before }: { readonly limit: number; readonly before?: number | undefined }): readonly Run[] =>
  store.read((db) => listRunRows(db, { limit, beforeId: before === undefined ? undefined : idsBefore(before) }));

const RUN_BUDGET_BYTES = 2_097_152;

/** Run, calls and events. Results come along until the run's budget is used up; calls:get reads the others. Error: not_found. */
export const readRun = (store: ReadStore, runId: string): Result<{ readonly run: Run; readonly events: EvidenceEvent[] }, Fault> =>
  store.read((db) => {
    const run = getRun(db, runId);
    if (!run) return err(absentRun(db, runId));
    let left = RUN_BUDGET_BYTES;
    const invocations = invocationsOfRun(db, runId).map((row) => {
      const sizeBytes = resultBytes(db, row.id);
      left -= Math.min(sizeBytes, WINDOW_BUDGET_BYTES);
      return withShown(row, readable(() => (sizeBytes > 0 && left >= 0 ? shownResult(db, row) : null)));
    });
    return ok({ run: { ...run, invocations }, events: [...eventsOf(db, runId)] });
  });
