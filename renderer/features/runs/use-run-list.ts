import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Run } from '../../../shared/run.ts';
import type { RunCounts } from '../../../shared/run-standings.ts';
import { ok } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';
import { usePages, type Pages } from '../../stores/use-pages.ts';
import { runQuery, type RunListFilter } from './run-filter.ts';

/** What the host says of the list besides its rows. `upTo`: the newest run there was when it was asked. */
export interface RunListFacts {
  readonly upTo: string;
  readonly all: number;
  readonly counts: RunCounts;
}

const PAGE = 100;
/** Runs that begin or end together are told of together. */
const GATHER_MS = 300;

const facts = (value: { readonly upTo?: string | undefined; readonly total?: number | undefined; readonly counts?: RunCounts | undefined }): RunListFacts => ({
  upTo: value.upTo ?? '',
  all: value.total ?? 0,
  counts: value.counts ?? { running: 0, awaiting_approval: 0, completed: 0, failed: 0, denied: 0, unclear: 0 },
});

/**
 * The runs that fit, a page at a time; their places stay while new ones begin. What the host tells of a run that is shown is put in its place; newer ones are
 * asked for and put first. Filters that are not known yet (null) ask nothing.
 */
export const useRunList = (filter: RunListFilter | null): Pages<Run, RunListFacts> => {
  // by its content: a filter that is kept meanwhile is the same question, and loses nothing that was told
  const question = filter === null ? null : JSON.stringify(runQuery(filter));
  const query = useMemo(() => (question === null ? null : (JSON.parse(question) as ReturnType<typeof runQuery>)), [question]);
  const [version, setVersion] = useState(0);
  const pages = usePages<Run, RunListFacts>(
    question,
    async (offset, limit, first) => {
      const answer = await bridge.request('runs:list', { ...query, offset, limit, ...(first === null ? {} : { upTo: first.upTo }) });
      return answer.ok ? ok({ rows: answer.value.runs, total: answer.value.found ?? 0, extra: facts(answer.value) }) : answer;
    },
    { pageSize: PAGE, version },
  );
  const { list, patch, putFirst, retry } = pages;
  const newest = useRef('');
  useLayoutEffect(() => {
    // nothing is newer than a list that is not there yet
    newest.current = list.phase === 'ready' ? (list.value.shifted > 0 ? (list.value.rowAt(0)?.id ?? '') : list.value.extra.upTo) : '\uffff';
  });
  useEffect(() => {
    if (query === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const changed = new Map<string, Run>();
    const tell = async (): Promise<void> => {
      timer = null;
      const runs = new Map(changed);
      changed.clear();
      patch((run) => runs.get(run.id) ?? run);
      // one that changed its state may no longer fit
      if (query.standing !== undefined) setVersion((before) => before + 1);
      if (![...runs.keys()].some((id) => id > newest.current)) return;
      const answer = await bridge.request('runs:list', { ...query, offset: 0, limit: PAGE });
      if (!answer.ok) return;
      const newer = answer.value.runs.filter((run) => run.id > newest.current);
      if (newer.length === PAGE) retry();
      else if (newer.length > 0) putFirst(newer, facts(answer.value));
    };
    const end = bridge.on('run:changed', ({ run }) => {
      const { invocations: _calls, ...bare } = run;
      changed.set(run.id, bare);
      timer ??= setTimeout(() => void tell(), GATHER_MS);
    });
    const endHistory = bridge.on('history:changed', () => setVersion((before) => before + 1));
    return () => {
      end();
      endHistory();
      if (timer !== null) clearTimeout(timer);
    };
  }, [query, patch, putFirst, retry]);
  return pages;
};
