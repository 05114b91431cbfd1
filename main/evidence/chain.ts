import type { EvidenceEvent } from '../../shared/run.ts';
import { canonicalText, sha256 } from './canonical.ts';

/** prevHash of a run's first row. */
export const FIRST_PREV_HASH = '0'.repeat(64);

/** seq of a run's first row; the last one equals runs.event_count. */
export const FIRST_SEQ = 1;

/**
 * SHA-256 over RFC 8785 of {at, data, invocationId, prevHash, runId, seq, type} (shared/run.ts). `dataText` is the canonical text of data,
 * so that it is written once for the row and for the hash.
 */
export const eventHash = (event: Omit<EvidenceEvent, 'hash' | 'data'>, dataText: string): string =>
  sha256(
    `{"at":${event.at},"data":${dataText},"invocationId":${canonicalText(event.invocationId)},"prevHash":"${event.prevHash}","runId":${canonicalText(event.runId)},"seq":${event.seq},"type":${canonicalText(event.type)}}`,
  );
