import type { Approval } from '../../shared/approval.ts';
import { findHiddenText } from '../capabilities/hidden-text.ts';
import type { ReadDb } from '../store/database.ts';
import { pointerStep } from '../evidence/privacy-filter.ts';
import { earlierCalls, openInvocations } from '../store/invocations.ts';
import type { InvocationRow } from '../store/invocations.ts';
import { duplicateHash, keyOf } from './idempotency-key.ts';
import type { FrozenCall } from './normalize.ts';

type Notice = Approval['notices'][number];

const DAY_MS = 86_400_000;
const LOOK_BACK = 100;

const REPAIR_WORDS = { empty_as_object: 'No arguments were given; an empty object is sent.', json_text_as_value: 'A text that holds JSON was read as the value that the tool wants.', text_as_listed_value: 'A text that stands for another value of the list was read as that value.', null_as_absent: 'A member given as null was left out: it is optional and the tool takes no null.', name_as_declared: 'A member was given the name that the server declares.', idempotency_key: 'Gantry filled in the key against repeats.', idempotency_key_replaced: 'Gantry put its own key against repeats in place of the one that was written there.', host_field_taken_out: 'What Gantry was asked to do with the answer was taken out; the tool does not get it.', own_uri: 'The URI of the resource was filled in.' } as const;

const noticesOfDefinition = (frozen: FrozenCall): readonly Notice[] => {
  const { candidate } = frozen.planned;
  const { capability, schemaState } = candidate;
  const notices: Notice[] = [];
  if (schemaState.state === 'partly_checked') {
    for (const place of schemaState.places) notices.push({ code: 'partly_checked', place: place.pointer || '/', ...(place.code === undefined ? {} : { kind: place.code }), detail: `${place.pointer || '/'}: ${place.reason}` });
  }
  if (capability.needsReview || capability.tierSource === 'default' || capability.tierSource === 'annotation') {
    notices.push({ code: 'unreviewed', detail: 'Nobody has reviewed what this tool does; its risk counts as high.' });
  }
  for (const field of capability.changedFields) notices.push({ code: 'changed_since_review', place: field, detail: field });
  for (const flag of capability.flags) notices.push({ code: `server_words:${flag.code}`, place: flag.place, kind: flag.code, detail: `${flag.place}: ${flag.detail}` });
  return notices;
};

/** Long runs of blanks or line breaks push what follows out of sight (A13). */
const PADDING = / {24,}|(?:\\[nrt]){8,}|[\u00a0\u2000-\u200a\u3000]{8,}/u;

const noticesOfInput = (frozen: FrozenCall): readonly Notice[] => {
  const notices: Notice[] = frozen.repairs.map((repair) => ({ code: 'repaired', place: repair.pointer || '/', kind: repair.what, detail: `${repair.pointer || '/'}: ${REPAIR_WORDS[repair.what]}` }));
  for (const hidden of findHiddenText(frozen.frozenInput)) {
    const spelled = hidden.decoded === undefined ? '' : ` (it spells "${hidden.decoded}")`;
    notices.push({ code: 'hidden_characters', kind: hidden.kind, detail: `${hidden.kind}: ${hidden.places.join(', ')}${spelled}` });
  }
  if (PADDING.test(frozen.frozenInput)) notices.push({ code: 'padding', detail: 'The input holds long runs of blanks or line breaks.' });
  return notices;
};

/** The key against repeats, or that none could be filled in. */
const noticesOfKey = ({ planned: { candidate }, value }: FrozenCall): readonly Notice[] => {
  const { idempotency } = candidate.capability;
  if (idempotency === undefined) return [];
  const key = keyOf(candidate, value);
  return [{ code: key === null ? 'no_idempotency_key' : 'idempotency_key', place: pointerStep(idempotency.field), detail: key ?? 'No key against repeats fits this argument.' }];
};

const minutesSince = (at: number, now: number): number => Math.max(0, Math.round((now - at) / 60_000));

/** The server may have done it: it answered, or nobody knows. */
const mayHaveHappened = (row: InvocationRow): boolean => row.state === 'completed' || row.fault?.details?.['mayHaveRun'] !== false;

/**
 * What a person needs beside the frozen input: the last similar call (the same input within a day first, else the last use of this tool), and what
 * is not checked or has changed. A key against repeats is no part of what makes two inputs the same.
 */
export const approvalContext = (db: ReadDb, frozen: FrozenCall, now: number): Pick<Approval, 'previous' | 'notices'> => {
  const { candidate, request } = frozen.planned;
  const field = candidate.capability.idempotency?.field;
  const duplicate = duplicateHash(frozen.frozenInput, field);
  const isSame = (row: InvocationRow): boolean => row.frozenInput !== null && (row.frozenInput === frozen.frozenInput || (field !== undefined && duplicateHash(row.frozenInput, field) === duplicate));
  const earlier = earlierCalls(db, request.capabilityId, LOOK_BACK);
  const same = earlier.find((row) => mayHaveHappened(row) && now - row.createdAt < DAY_MS && isSame(row));
  const similar = same ?? earlier.find((row) => row.state === 'completed');
  const notices: Notice[] = [...noticesOfDefinition(frozen), ...noticesOfInput(frozen), ...noticesOfKey(frozen)];
  const last = earlier[0];
  if (!last) notices.push({ code: 'first_use', detail: 'This tool has not been called here before.' });
  else if (last.definitionFingerprint !== candidate.definitionFingerprint) notices.push({ code: 'changed_since_last', detail: 'The definition differs from the last call.' });
  if (same) notices.push({ code: 'repeat', detail: `The same input was sent ${minutesSince(same.createdAt, now)} minutes ago.` });
  if (same?.code === 'outcome_unknown') notices.push({ code: 'repeat_of_unknown', detail: 'That call may have been carried out: nobody knows. Check before you repeat it.' });
  if (openInvocations(db).some((row) => row.capabilityId === request.capabilityId && isSame(row))) notices.push({ code: 'repeat_open', detail: 'The same input waits for a decision or runs at this moment.' });
  return {
    previous: similar ? { invocationId: similar.id, at: similar.createdAt, frozenInput: similar.frozenInput ?? '', identical: isSame(similar) } : null,
    notices,
  };
};
