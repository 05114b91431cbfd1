import type { ReadStore } from '../store/read-only.ts';
import { eventsOf } from '../store/events.ts';
import { getRun } from '../store/runs.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { absentRun } from './absent-run.ts';

/** How to check the file without Gantry; part of the head line. */
const HASHING =
  'hash = lower-case hex SHA-256 over the RFC 8785 form of {runId, seq, prevHash, at, type, invocationId, data}; seq starts at 1; the first prevHash is 64 zeros; the last hash is run.headHash';

/**
 * Everything that a terminal, editor or spreadsheet may act on or reorder, written as a JSON escape: C0, DEL, C1, bidi and other format controls,
 * line separators, tag characters (A26). The JSON value, and so the hash, is unchanged.
 */
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0000}|[\u{e0001}-\u{e007f}]/gu;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export const inertJson = (value: unknown): string => JSON.stringify(value).replace(ACTIVE, (character) => character.split('').map(escapeUnit).join(''));

/** JSON lines: a head line, then one event a line. Every line begins with a brace, so that no cell is a formula. Error: not_found. */
export const exportRun = (store: ReadStore, runId: string): Result<{ readonly fileName: string; readonly text: string }, Fault> => {
  const found = store.read((db) => {
    const run = getRun(db, runId);
    return run ? ok({ run, events: eventsOf(db, runId) }) : err(absentRun(db, runId));
  });
  if (!found.ok) return found;
  const lines = [inertJson({ format: 'gantry-evidence/1', hashing: HASHING, run: found.value.run }), ...found.value.events.map(inertJson)];
  return ok({ fileName: `gantry-run-${runId.replaceAll(/[^A-Za-z0-9-]/g, '')}.jsonl`, text: lines.join('\n') + '\n' });
};
