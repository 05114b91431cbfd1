import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Run } from '../../shared/run.ts';
import { bridge } from '../bridge/bridge.ts';
import { runTitle } from '../parts/run-title.ts';
import { useRuns } from '../stores/runs.ts';

/** What a run was called: from the newest ones, which the window knows, else asked for; null until it is there. */
export const useRunTitle = (runId: string | null): string | null => {
  const { i18n } = useTranslation();
  const runs = useRuns((state) => state.runs);
  const known = runId !== null && runs.phase === 'ready' ? runs.value.find((one) => one.id === runId) : undefined;
  const [read, setRead] = useState<Run | null>(null);
  const wanted = known === undefined && runs.phase !== 'loading' ? runId : null;
  useEffect(() => {
    if (wanted === null) return undefined;
    let current = true;
    void bridge.request('runs:head', { runId: wanted }).then((answer) => {
      if (current && answer.ok) setRead(answer.value.run);
    });
    return () => {
      current = false;
    };
  }, [wanted]);
  const run = known ?? (read?.id === runId ? read : null);
  return run === null ? null : runTitle(run, i18n);
};
