import { verifyRun } from '../../evidence/verify-run.ts';
import { openReadOnly } from '../../store/read-only.ts';
import { listRuns } from '../../store/runs.ts';
import type { TellProgress } from '../data-jobs.ts';

const PAGE = 500;

/** Runs of a database whose chain, or a row beside it, does not hold; each is read whole. */
export const brokenRuns = async (path: string, tell: TellProgress): Promise<{ readonly runId: string; readonly seq: number; readonly reason: string }[]> => {
  const store = openReadOnly(path);
  const broken: { runId: string; seq: number; reason: string }[] = [];
  let beforeId: string | undefined;
  for (let done = 0; ; ) {
    const page = store.read((db) => listRuns(db, { limit: PAGE, beforeId }));
    for (const { id: runId } of page) {
      const verdict = await verifyRun(store, runId);
      if (!verdict.ok) broken.push({ runId, seq: 0, reason: verdict.error.message });
      else if (verdict.value.firstBad) broken.push({ runId, seq: verdict.value.firstBad.seq, reason: verdict.value.firstBad.reason });
      done += 1;
    }
    tell('verify', done, null);
    if (page.length < PAGE) return broken;
    beforeId = page.at(-1)!.id;
  }
};
