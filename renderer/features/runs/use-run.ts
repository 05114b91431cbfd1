import { useCallback, useEffect, useState } from 'react';
import type { EvidenceEvent, Run } from '../../../shared/run.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useHealth } from '../../stores/health.ts';
import { loading, replaced } from '../../stores/mirror.ts';
import type { Mirror } from '../../stores/mirror.ts';

export interface RunWithEvents {
  readonly run: Run;
  readonly events: readonly EvidenceEvent[];
}

/** One run with its evidence, kept up to date while it goes on; read again after the host was out of reach. */
export const useRun = (runId: string): { readonly state: Mirror<RunWithEvents>; readonly reload: () => void } => {
  const [state, setState] = useState<Mirror<RunWithEvents>>(loading);
  const [turn, setTurn] = useState(0);
  const connection = useHealth((h) => h.connection);
  useEffect(() => {
    if (connection === 'lost') return undefined;
    let current = true;
    const change = (make: (was: RunWithEvents) => RunWithEvents): void => {
      if (current) setState((was) => (was.phase === 'ready' && was.value.run.id === runId ? { phase: 'ready', value: make(was.value) } : was));
    };
    const ends = [
      bridge.on('run:changed', ({ run }) => {
        if (run.id === runId) change((was) => ({ ...was, run: run.invocations === undefined ? { ...run, invocations: was.run.invocations } : run }));
      }),
      bridge.on('run:event', ({ event }) => {
        if (event.runId === runId) change((was) => (was.events.some((e) => e.seq === event.seq) ? was : { ...was, events: [...was.events, event].sort((a, b) => a.seq - b.seq) }));
      }),
      bridge.on('invocation:changed', ({ invocation }) => {
        if (invocation.runId === runId) change((was) => ({ ...was, run: { ...was.run, invocations: [...replaced(was.run.invocations ?? [], invocation, (i) => i.id)] } }));
      }),
    ];
    void bridge.request('runs:get', { runId }).then((answer) => {
      if (current) setState(answer.ok ? { phase: 'ready', value: answer.value } : { phase: 'failed', fault: answer.error });
    });
    return () => {
      current = false;
      ends.forEach((end) => end());
    };
  }, [runId, turn, connection]);
  const reload = useCallback(() => {
    setState(loading());
    setTurn((n) => n + 1);
  }, []);
  return { state, reload };
};
