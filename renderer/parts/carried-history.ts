import { isObject } from '../../shared/is-object.ts';
import type { EvidenceEvent } from '../../shared/run.ts';

/** What of a conversation a request carried, and what it left out for want of room. */
export interface CarriedHistory {
  readonly bytes: number;
  readonly mostBytes: number;
  readonly questions: number;
  readonly results: number;
}

const amount = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null);

/** Null for records from before it was told. */
export const carriedHistory = ({ data: { history } }: EvidenceEvent): CarriedHistory | null => {
  if (!isObject(history)) return null;
  const leftOut = isObject(history['leftOut']) ? history['leftOut'] : {};
  const [bytes, mostBytes] = [amount(history['bytes']), amount(history['mostBytes'])];
  return bytes === null || mostBytes === null ? null : { bytes, mostBytes, questions: amount(leftOut['questions']) ?? 0, results: amount(leftOut['results']) ?? 0 };
};
