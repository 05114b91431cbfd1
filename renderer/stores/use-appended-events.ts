import { useCallback, useEffect, useRef, useState } from 'react';
import type { InputOf } from '../../shared/contract/contract.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import { bridge } from '../bridge/bridge.ts';
import { useHealth } from './health.ts';
import { loading, type Mirror } from './mirror.ts';

type Asked = InputOf<'runs:events'>;

interface Known {
  readonly key: string;
  rows: readonly EvidenceEvent[];
  asking: boolean;
  /** told of news while a reading was on its way */
  again: boolean;
}

/**
 * The first rows of a run, of some types. Evidence is only ever added to: another `version` asks for what came after the last row that is known, and for nothing
 * else, one reading at a time. A connection that was lost and came back begins anew. `asked.limit`: rows that are read at most.
 */
export const useAppendedEvents = (asked: Asked & { readonly limit: number }, version: number): { readonly state: Mirror<readonly EvidenceEvent[]>; readonly reload: () => void } => {
  const [state, setState] = useState<Mirror<readonly EvidenceEvent[]>>(loading);
  const [turn, setTurn] = useState(0);
  const connection = useHealth((health) => health.connection);
  const question = JSON.stringify(asked);
  const key = `${turn} ${question}`;
  const known = useRef<Known | null>(null);
  useEffect(() => {
    if (connection === 'lost') {
      known.current = null;
      return;
    }
    if (known.current?.key !== key) {
      known.current = { key, rows: [], asking: false, again: false };
      setState(loading());
    }
    readOn(known.current, JSON.parse(question) as Asked & { readonly limit: number }, (next, of) => { if (known.current === of) setState(next); });
  }, [key, question, version, connection]);
  useEffect(() => () => { known.current = null; }, []);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { state, reload };
};

const readOn = (known: Known, asked: Asked & { readonly limit: number }, tell: (state: Mirror<readonly EvidenceEvent[]>, of: Known) => void): void => {
  const limit = asked.limit - known.rows.length;
  if (limit <= 0) return;
  if (known.asking) {
    known.again = true;
    return;
  }
  known.asking = true;
  void bridge.request('runs:events', { ...asked, offset: known.rows.length, limit }).then((answer) => {
    known.asking = false;
    if (!answer.ok) return tell({ phase: 'failed', fault: answer.error }, known);
    const { events } = answer.value;
    if (events.length > 0 || known.rows.length === 0) {
      known.rows = [...known.rows, ...events];
      tell({ phase: 'ready', value: known.rows }, known);
    }
    if (known.again) {
      known.again = false;
      readOn(known, asked, tell);
    }
  });
};
