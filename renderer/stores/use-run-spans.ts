import { useEffect, useRef, useState } from 'react';
import type { RunSpan } from '../../shared/run-span.ts';
import { bridge } from '../bridge/bridge.ts';
import { useHealth } from './health.ts';
import { joinSpans } from '../../shared/join-spans.ts';
import { loading, type Mirror } from './mirror.ts';

export interface RunSpans {
  readonly spans: readonly RunSpan[];
  readonly total: number;
}

interface Known extends RunSpans {
  readonly runId: string;
  spans: readonly RunSpan[];
  total: number;
  upTo: number;
  asking: boolean;
  /** told of news while a reading was on its way */
  again: boolean;
}

/** A run's spans; another `version` asks for those that began or changed since, and for nothing else, one reading at a time. A connection that was lost and came back begins anew. */
export const useRunSpans = (runId: string, version: number): Mirror<RunSpans> => {
  const [state, setState] = useState<Mirror<RunSpans>>(loading);
  const connection = useHealth((health) => health.connection);
  const known = useRef<Known | null>(null);
  useEffect(() => {
    if (connection === 'lost') {
      known.current = null;
      return;
    }
    if (known.current?.runId !== runId) {
      known.current = { runId, spans: [], total: 0, upTo: -1, asking: false, again: false };
      setState(loading());
    }
    readOn(known.current, (next, of) => { if (known.current === of) setState(next); });
  }, [runId, version, connection]);
  useEffect(() => () => { known.current = null; }, []);
  return state;
};

const readOn = (known: Known, tell: (state: Mirror<RunSpans>, of: Known) => void): void => {
  if (known.asking) {
    known.again = true;
    return;
  }
  known.asking = true;
  void bridge.request('runs:spans', { runId: known.runId, since: known.upTo }).then((answer) => {
    known.asking = false;
    if (!answer.ok) return tell({ phase: 'failed', fault: answer.error }, known);
    const { spans, total, upTo } = answer.value;
    if (spans.length > 0 || known.upTo === -1) {
      Object.assign(known, { spans: joinSpans(known.spans, spans), total });
      tell({ phase: 'ready', value: { spans: known.spans, total } }, known);
    }
    known.upTo = upTo;
    if (known.again) {
      known.again = false;
      readOn(known, tell);
    }
  });
};
