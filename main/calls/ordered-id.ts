import { randomUUID } from 'node:crypto';

/**
 * UUID version 7 (RFC 9562): the time in ms first, so that new rows lie beside each other in the tables and their indexes.
 * Ids of one millisecond are unordered.
 */
export const orderedId = (nowMs: number): string => {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0').slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};
