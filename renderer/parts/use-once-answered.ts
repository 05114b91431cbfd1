import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * Does what a key asked for when the answer to what stands in the field is there: at once, or when it comes. Another `words` (a field with other words, a list with other
 * filters) and `drop` call it off.
 */
export const useOnceAnswered = <A extends string>(words: string, answered: boolean, act: (what: A) => void): { readonly ask: (what: A) => void; readonly drop: () => void } => {
  const [waiting, setWaiting] = useState<{ readonly words: string; readonly what: A } | null>(null);
  const latest = useRef({ words, answered, act });
  useLayoutEffect(() => {
    latest.current = { words, answered, act };
  });
  useEffect(() => {
    if (waiting === null || (waiting.words === words && !answered)) return;
    setWaiting(null);
    if (waiting.words === words) latest.current.act(waiting.what);
  }, [waiting, words, answered]);
  const ask = useCallback((what: A): void => {
    if (latest.current.answered) latest.current.act(what);
    else setWaiting({ words: latest.current.words, what });
  }, []);
  const drop = useCallback((): void => setWaiting(null), []);
  return { ask, drop };
};
