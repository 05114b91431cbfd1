import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import { grownPages, isShort } from './grown-pages.ts';
import { useHealth } from './health.ts';
import { loading, type Mirror } from './mirror.ts';

export interface Page<R, E> {
  readonly rows: readonly R[];
  readonly total: number;
  /** what the answer says besides: of the list, not of the page */
  readonly extra: E;
}
/** What can be had without asking: the first rows of a question, from the beginning on. */
export type GivenPage<R, E> = (key: string) => Page<R, E> | null;
/** `first`: what the first answer to this question said besides, for what keeps pages in their places. */
export type AskPage<R, E> = (offset: number, limit: number, first: E | null) => Promise<Result<Page<R, E>, Fault>>;

export interface PageList<R, E> {
  readonly total: number;
  readonly rowAt: (index: number) => R | undefined;
  readonly extra: E;
  /** grows with each question; a list that answers another one starts at its top */
  readonly question: number;
  /** the `key` whose answer this is: while that of another is on its way, the list before stays */
  readonly answers: string;
  /** rows that were put before the first since the question was asked */
  readonly shifted: number;
}

interface Held<R, E> {
  readonly head: readonly R[];
  readonly pages: ReadonlyMap<number, readonly R[]>;
  readonly total: number;
  readonly extra: E;
  readonly question: number;
  readonly key: string;
}
interface Asked<R, E> {
  readonly key: string;
  readonly number: number;
  readonly ask: AskPage<R, E>;
  readonly pages: Set<number>;
  first: E | null;
  /** rows known to be there, in a list that only grows; null before its first answer */
  known: number | null;
  readsOn: boolean;
  /** told of news while a reading was on its way */
  again: boolean;
}

export interface Pages<R, E> {
  readonly list: Mirror<PageList<R, E>>;
  /** rows that come into sight, by their places */
  readonly want: (first: number, last: number) => void;
  readonly retry: () => void;
  /** what the host told of single rows: each in its place */
  readonly patch: (change: (row: R) => R) => void;
  /** newer rows, the newest first */
  readonly putFirst: (rows: readonly R[], extra: E) => void;
}

interface PagesOptions<R, E> {
  readonly pageSize?: number;
  readonly version?: unknown;
  readonly given?: GivenPage<R, E>;
  /** answers to so many earlier questions are kept for who goes back to them, until `version` is another one */
  readonly keep?: number;
  /** rows are only ever added at the end: another `version` asks for those after the last one known, and for nothing else */
  readonly grows?: boolean;
  /** another value asks again for what is in sight, also where the list grows */
  readonly anew?: unknown;
}

/** Rows asked for in one request; every list of the contract gives as many. */
const MOST_ROWS = 200;

/**
 * The rows of a question, a page at a time. What is on screen stays until the answer to the last question is there; answers to earlier ones are dropped.
 * `key` names the question, null asks nothing. Another `version` asks again for what is in sight, in place. As much of another question is asked for as was in
 * sight of the one before, in one request.
 */
export const usePages = <R, E>(key: string | null, ask: AskPage<R, E>, { pageSize = 100, version = 0, given, keep = 0, grows = false, anew }: PagesOptions<R, E> = {}): Pages<R, E> => {
  const [held, setHeld] = useState<Mirror<Held<R, E>>>(loading);
  const [turn, setTurn] = useState(0);
  const connection = useHealth((health) => health.connection);
  const asked = useRef<Asked<R, E> | null>(null);
  const shown = useRef<readonly [number, number]>([0, 0]);
  const latest = useRef({ ask, given });
  const kept = useRef<{ readonly version: unknown; readonly answers: Map<string, Page<R, E>> }>({ version, answers: new Map() });
  const shift = useRef(0);
  const seen = useRef<{ readonly turn: number; readonly connection: unknown; readonly anew: unknown }>({ turn, connection, anew });
  useLayoutEffect(() => {
    latest.current = { ask, given };
    shift.current = held.phase === 'ready' ? held.value.head.length : 0;
  });

  const fetch = useCallback(
    (from: Asked<R, E>, first: number, last: number): void => {
      const missing = Array.from({ length: Math.min(Math.max(1, Math.floor(MOST_ROWS / pageSize)), last - first + 1) }, (_, at) => first + at).filter((page) => !from.pages.has(page));
      if (missing.length === 0) return;
      const [begin, end] = [missing[0]!, missing.at(-1)! + 1];
      for (let page = begin; page < end; page += 1) from.pages.add(page);
      const knownBefore = from.known ?? 0;
      void from.ask(begin * pageSize, (end - begin) * pageSize, from.first).then((answer) => {
        if (asked.current !== from) return;
        if (!answer.ok) {
          for (let page = begin; page < end; page += 1) from.pages.delete(page);
          // a further page that could not be read is asked for again when it comes into sight
          return setHeld((before) => (before.phase === 'ready' && before.value.question === from.number ? before : { phase: 'failed', fault: answer.error }));
        }
        from.first ??= answer.value.extra;
        from.known = Math.max(from.known ?? 0, answer.value.total);
        if (begin === 0 && keep > 0) remember(kept.current.answers, from.key, answer.value, keep);
        const total = grows ? from.known : answer.value.total;
        setHeld((before) => withAnswer(before, from, begin, pageSize, { ...answer.value, total }));
        const last = end - 1;
        if (grows && total > knownBefore && total > answer.value.total && isShort(last, pageSize, answer.value.rows.length - (last - begin) * pageSize, total)) {
          from.pages.delete(last);
          fetch(from, last, last);
        }
      });
    },
    [pageSize, keep, grows],
  );
  const readOn = useCallback(
    (from: Asked<R, E>): void => {
      if (from.known === null) return;
      if (from.readsOn) {
        from.again = true;
        return;
      }
      from.readsOn = true;
      const begin = from.known;
      void from.ask(begin, Math.max(pageSize, MOST_ROWS), from.first).then((answer) => {
        from.readsOn = false;
        if (asked.current !== from || !answer.ok) return;
        const { rows, total, extra } = answer.value;
        // rows that another reading has told of meanwhile are in their places already
        from.known = Math.max(from.known ?? 0, begin + rows.length);
        const known = from.known;
        if (rows.length > 0) setHeld((before) => (before.phase === 'ready' && before.value.question === from.number ? { phase: 'ready', value: { ...before.value, pages: grownPages(before.value.pages, pageSize, begin, rows), total: Math.max(before.value.total, known), extra } } : before));
        if (from.again || (rows.length > 0 && total > known)) {
          from.again = false;
          readOn(from);
        }
      });
    },
    [pageSize],
  );

  // before the paint: an answer that is at hand is drawn with the question, in one frame
  useLayoutEffect(() => {
    if (connection === 'lost' || key === null) return;
    const before = asked.current;
    const same = before?.key === key;
    const { current: was } = seen;
    seen.current = { turn, connection, anew };
    if (grows && same && before.known !== null && was.turn === turn && was.connection === connection && was.anew === anew) return readOn(before);
    if (!same) shown.current = [0, shown.current[1] - shown.current[0]];
    if (kept.current.version !== version) kept.current = { version, answers: new Map() };
    const number = same ? before.number : (before?.number ?? 0) + 1;
    const known = latest.current.given?.(key) ?? (same ? null : (kept.current.answers.get(key) ?? null));
    asked.current = { key, number, ask: latest.current.ask, pages: new Set(known === null ? [] : pagesOf(known, pageSize)), first: same ? before.first : null, known: null, readsOn: false, again: false };
    if (known !== null) setHeld((held) => withAnswer(held, { number, key }, 0, pageSize, known));
    fetch(asked.current, ...shown.current);
  }, [fetch, readOn, grows, anew, key, version, turn, connection, pageSize]);

  const want = useCallback(
    (first: number, last: number): void => {
      const pageOf = (place: number): number => Math.floor(Math.max(0, place - shift.current) / pageSize);
      shown.current = [pageOf(first), pageOf(last)];
      if (asked.current === null) return;
      fetch(asked.current, ...shown.current);
    },
    [fetch, pageSize],
  );
  const retry = useCallback(() => {
    setHeld(loading());
    setTurn((before) => before + 1);
  }, []);
  const changeHeld = useCallback((change: (before: Held<R, E>) => Held<R, E>): void => setHeld((before) => (before.phase === 'ready' ? { phase: 'ready', value: change(before.value) } : before)), []);
  const patch = useCallback((change: (row: R) => R): void => changeHeld((before) => patched(before, change)), [changeHeld]);
  const putFirst = useCallback((rows: readonly R[], extra: E): void => changeHeld((before) => ({ ...before, head: [...rows, ...before.head], extra })), [changeHeld]);
  const list = useMemo((): Mirror<PageList<R, E>> => (held.phase === 'ready' ? { phase: 'ready', value: listOf(held.value, pageSize) } : held), [held, pageSize]);
  return useMemo(() => ({ list, want, retry, patch, putFirst }), [list, want, retry, patch, putFirst]);
};

/** The pages that a part which begins at the first row has whole; the last one may be short. */
const pagesOf = <R, E>({ rows, total }: Page<R, E>, pageSize: number): number[] =>
  Array.from({ length: Math.max(1, rows.length === total ? Math.ceil(total / pageSize) : Math.floor(rows.length / pageSize)) }, (_, page) => page);

const withAnswer = <R, E>(before: Mirror<Held<R, E>>, { number: question, key }: Pick<Asked<R, E>, 'number' | 'key'>, begin: number, pageSize: number, { rows, total, extra }: Page<R, E>): Mirror<Held<R, E>> => {
  const same = before.phase === 'ready' && before.value.question === question ? before.value : null;
  const parts = Array.from({ length: Math.max(1, Math.ceil(rows.length / pageSize)) }, (_, at) => [begin + at, rows.slice(at * pageSize, (at + 1) * pageSize)] as const);
  return { phase: 'ready', value: { head: same?.head ?? [], pages: new Map([...(same?.pages ?? []), ...parts]), total, extra, question, key } };
};

/** The one asked last is the last to go. */
const remember = <T>(answers: Map<string, T>, key: string, answer: T, most: number): void => {
  answers.delete(key);
  answers.set(key, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= most) return;
    answers.delete(oldest);
  }
};

/** Only pages with a changed row are made anew. */
const patched = <R, E>(before: Held<R, E>, change: (row: R) => R): Held<R, E> => {
  let changed = false;
  const each = (rows: readonly R[]): readonly R[] => {
    const next = rows.map(change);
    if (next.every((row, at) => row === rows[at])) return rows;
    changed = true;
    return next;
  };
  const head = each(before.head);
  const pages = new Map([...before.pages].map(([page, rows]) => [page, each(rows)] as const));
  return changed ? { ...before, head, pages } : before;
};

const listOf = <R, E>({ head, pages, total, extra, question, key }: Held<R, E>, pageSize: number): PageList<R, E> => ({
  total: head.length + total,
  rowAt: (index) => (index < head.length ? head[index] : pages.get(Math.floor((index - head.length) / pageSize))?.[(index - head.length) % pageSize]),
  extra,
  question,
  answers: key,
  shifted: head.length,
});
