import type { i18n } from 'i18next';
import type { Run } from '../../shared/run.ts';

/** What a run was called: words of a caller, or those of the window where the host itself did it. */
export const runTitle = (run: Pick<Run, 'kind' | 'title'>, words: Pick<i18n, 'exists' | 't'>): string => {
  const own = `parts.host_run.${run.title}`;
  return run.kind === 'host' && words.exists(own) ? words.t(own) : run.title;
};
