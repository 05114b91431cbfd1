import { useCallback, useEffect, useRef, useState } from 'react';
import type { Completion } from '../../../shared/resource.ts';
import { bridge } from '../../bridge/bridge.ts';

/** The person has paused. */
const SETTLED_MS = 250;
const NONE: Completion = { offered: false, values: [], hasMore: false };
const LONGEST_ASKED = 1_000;

/** What the server would put into one field. Asked when the person pauses; what is typed on ends the question before, here and at the host. A failure suggests nothing. */
export const useCompletion = (capabilityId: string, argument: string): { readonly completion: Completion; readonly ask: (value: string, others: Readonly<Record<string, string>>) => void } => {
  const [completion, setCompletion] = useState<Completion>(NONE);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(0);
  useEffect(() => () => {
    clearTimeout(timer.current);
    latest.current += 1;
  }, []);
  const ask = useCallback(
    (value: string, others: Readonly<Record<string, string>>): void => {
      clearTimeout(timer.current);
      latest.current += 1;
      const turn = latest.current;
      if (value.length > LONGEST_ASKED) return setCompletion(NONE);
      timer.current = setTimeout(() => {
        const short = Object.fromEntries(Object.entries(others).filter(([, other]) => other !== '' && other.length <= LONGEST_ASKED));
        void bridge.request('resources:complete', { capabilityId, argument, value, others: short }).then((answer) => {
          if (turn === latest.current) setCompletion(answer.ok ? answer.value : NONE);
        });
      }, SETTLED_MS);
    },
    [capabilityId, argument],
  );
  return { completion, ask };
};
