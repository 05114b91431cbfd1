import type { WireProgress } from './wire-outcome.ts';

type Report = (progress: WireProgress) => void;

const PROGRESS_EVERY_MS = 100;

/** Coalesces to ten reports a second; the last one in time counts. */
export const paced = (report: Report): Report => {
  let last = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_EVERY_MS && !(progress.total !== undefined && progress.progress >= progress.total)) return;
    last = now;
    report(progress);
  };
};

/** Progress has to grow (progress, both revisions): a report that does not says nothing, and renews no deadline. */
export const growing = (report: Report): Report => {
  let most = -Infinity;
  return (progress) => {
    if (!(progress.progress > most)) return;
    most = progress.progress;
    report(progress);
  };
};
