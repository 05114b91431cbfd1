import { useCallback, useEffect, useRef, useState } from 'react';
import type { Invocation } from '../../../shared/call.ts';
import { ok } from '../../../shared/result.ts';
import type { EvidenceEvent, Run } from '../../../shared/run.ts';
import { bridge } from '../../bridge/bridge.ts';
import { loading } from '../../stores/mirror.ts';
import type { Mirror } from '../../stores/mirror.ts';
import { usePages, type Pages } from '../../stores/use-pages.ts';
import { useRequest } from '../../stores/use-request.ts';

export interface RunHead {
  readonly run: Run;
  readonly calls: number;
  readonly waitedMs: number;
  /** calls of which nobody knows whether they happened */
  readonly unknown: number;
  /** the call that a person looks for first */
  readonly shown: string | null;
  /** where the call that is meant, or else that one, stands among all */
  readonly place: number | null;
}
export interface CallWithEvents {
  readonly call: Invocation;
  readonly events: readonly EvidenceEvent[];
}

const CALLS = 40;
const EVENTS = 200;
/** What a run is and comes to, without its calls. */
export const useRunHead = (runId: string, invocationId: string | null, version: number): { readonly state: Mirror<RunHead>; readonly reload: () => void } =>
  useRequest('runs:head', { runId, ...(invocationId === null ? {} : { invocationId }) }, version);

/** Its calls, a page at a time, each with its events; a call that moves is told at once. */
export const useRunCalls = (runId: string, version: number, /** what a run that ended holds is read once more */ ended: boolean): Pages<CallWithEvents, null> => {
  const pages = usePages<CallWithEvents, null>(
    runId,
    async (offset, limit) => {
      const answer = await bridge.request('runs:calls', { runId, offset, limit });
      if (!answer.ok) return answer;
      const { calls, events, total } = answer.value;
      const byCall = Map.groupBy(events, (event) => event.invocationId);
      return ok({ rows: calls.map((call) => ({ call, events: byCall.get(call.id) ?? [] })), total, extra: null });
    },
    { pageSize: CALLS, version, grows: true, anew: ended },
  );
  const { patch } = pages;
  const heard = useRef<EvidenceEvent[]>([]);
  useEffect(() => bridge.on('run:event', ({ event }) => { if (event.runId === runId && event.invocationId !== null) heard.current.push(event); }), [runId]);
  useEffect(() => {
    if (heard.current.length === 0) return;
    const news = Map.groupBy(heard.current, (event) => event.invocationId);
    heard.current = [];
    patch((row) => withEvents(row, news.get(row.call.id)));
  }, [patch, version]);
  useEffect(() => bridge.on('invocation:changed', ({ invocation }) => patch((row) => (row.call.id === invocation.id ? { ...row, call: { ...invocation, result: null } } : row))), [patch]);
  return pages;
};

/** Each event once, in its order. */
const withEvents = (row: CallWithEvents, news: readonly EvidenceEvent[] = []): CallWithEvents => {
  const last = row.events.at(-1)?.seq ?? -1;
  const added = news.filter(({ seq }) => seq > last);
  return added.length === 0 ? row : { ...row, events: [...row.events, ...added] };
};

/** Its events, a page at a time: of one call, or of all. */
export const useRunEvents = (runId: string, invocationId: string | null, version: number): Pages<EvidenceEvent, null> =>
  usePages<EvidenceEvent, null>(
    `${runId} ${invocationId ?? ''}`,
    async (offset, limit) => {
      const answer = await bridge.request('runs:events', { runId, offset, limit, ...(invocationId === null ? {} : { invocationId }) });
      return answer.ok ? ok({ rows: answer.value.events, total: answer.value.total, extra: null }) : answer;
    },
    { pageSize: EVENTS, version, grows: true },
  );

/** One call with its result; what the host tells of it takes its place at once. */
export const useCall = (invocationId: string | null): { readonly state: Mirror<Invocation>; readonly reload: () => void } => {
  const [state, setState] = useState<Mirror<Invocation>>(loading);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (invocationId === null) return undefined;
    let current = true;
    let heard = 0;
    const read = (): void => {
      const before = heard;
      void bridge.request('calls:get', { invocationId }).then((answer) => {
        // what was heard while the reading was on its way is newer than it
        if (current && heard === before) setState(answer.ok ? { phase: 'ready', value: answer.value.invocation } : { phase: 'failed', fault: answer.error });
      });
    };
    read();
    const end = bridge.on('invocation:changed', ({ invocation }) => {
      if (invocation.id !== invocationId) return;
      heard += 1;
      setState({ phase: 'ready', value: invocation });
      if (invocation.endedAt !== null && invocation.result === null) read();
    });
    return () => {
      current = false;
      end();
    };
  }, [invocationId, turn]);
  const reload = useCallback(() => {
    setState(loading());
    setTurn((n) => n + 1);
  }, []);
  return { state, reload };
};
