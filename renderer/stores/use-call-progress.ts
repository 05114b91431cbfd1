import { useEffect, useState } from 'react';
import type { CallProgress } from '../../shared/call.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import { bridge } from '../bridge/bridge.ts';

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The last progress on record, for a window that heard none yet. */
const recorded = (events: readonly EvidenceEvent[]): CallProgress | null => {
  const last = events.findLast((event) => event.type === 'call.progress')?.data;
  if (last === undefined) return null;
  return { progress: number(last['progress']), total: number(last['total']), message: typeof last['message'] === 'string' ? last['message'] : undefined, reports: number(last['reports']) ?? 1 };
};

/** What the server last said of how far a call under way has come; null while it said nothing, and of a call that is over. */
export const useCallProgress = (invocationId: string, live: boolean, events: readonly EvidenceEvent[]): CallProgress | null => {
  const [heard, setHeard] = useState<{ readonly of: string; readonly progress: CallProgress } | null>(null);
  useEffect(() => {
    if (!live) return undefined;
    return bridge.on('call:progress', (event) => {
      if (event.invocationId === invocationId) setHeard({ of: invocationId, progress: event.progress });
    });
  }, [invocationId, live]);
  if (!live) return null;
  return heard?.of === invocationId ? heard.progress : recorded(events);
};
