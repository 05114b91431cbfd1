import { randomUUID } from 'node:crypto';

const timeText = (ms: number): string => {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`;
};

/**
 * UUID version 7 (RFC 9562): the time in ms first, so that new rows lie beside each other in the tables and their indexes.
 * Ids of one millisecond are unordered.
 */
export const orderedId = (nowMs: number): string => `${timeText(nowMs)}7${randomUUID().slice(15)}`;

/** A text above every id made before `ms`, and below all others. */
export const idsBefore = (ms: number): string => timeText(ms);
