import { useCallback, useEffect, useRef, useState } from 'react';
import type { Completion } from '../../../shared/resource.ts';
import { bridge } from '../../bridge/bridge.ts';

/** The person has paused. */
const SETTLED_MS = 250;
const NONE: Completion = { offered: false, values: [], hasMore: false };
const LONGEST_ASKED = 1_000;

interface Completing {
  readonly completion: Completion;
  /** false while another answer than this one is on its way */
  readonly answered: boolean;
  readonly ask: (value: string, others: Readonly<Record<string, string>>) => void;
}

/** What the server would put into one field. Asked when the person pauses; what is typed on ends the question before, here and at the host. A failure suggests nothing. */
export const useCompletion = (capabilityId: string, argument: string): Completing => {
  const [{ completion, answered }, setHeld] = useState({ completion: NONE, answered: true });
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
      if (value.length > LONGEST_ASKED) return setHeld({ completion: NONE, answered: true });
      setHeld((before) => ({ ...before, answered: false }));
      timer.current = setTimeout(() => {
        const short = Object.fromEntries(Object.entries(others).filter(([, other]) => other !== '' && other.length <= LONGEST_ASKED));
        void bridge.request('resources:complete', { capabilityId, argument, value, others: short }).then((answer) => {
          if (turn === latest.current) setHeld({ completion: answer.ok ? answer.value : NONE, answered: true });
        });
      }, SETTLED_MS);
    },
    [capabilityId, argument],
  );
  return { completion, answered, ask };
};
