import { useCallback, useEffect, useRef, useState } from 'react';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import { bridge } from '../bridge/bridge.ts';
import { useHealth } from './health.ts';
import { loading, type Mirror } from './mirror.ts';

/**
 * Reads one value that no mirror keeps, and reads it again when `version` changes or the host comes back. A later reading replaces the value
 * only when it is there: the page does not flicker back to its skeleton. What is given belongs to this very `input`, always. `reload` starts over.
 */
export const useRequest = <N extends RequestName>(name: N, input: InputOf<N>, version: unknown = 0): { readonly state: Mirror<OutputOf<N>>; readonly reload: () => void } => {
  const key = JSON.stringify(input);
  const [held, setHeld] = useState<{ readonly key: string; readonly state: Mirror<OutputOf<N>> }>(() => ({ key, state: loading() }));
  // in the render and not after it: no frame and no key stroke finds the answer to another question
  if (held.key !== key) setHeld({ key, state: loading() });
  const [turn, setTurn] = useState(0);
  const connection = useHealth((health) => health.connection);
  const order = useRef({ asking: '', asked: 0, shown: 0 });
  useEffect(() => {
    if (connection === 'lost') return undefined;
    const asking = `${name} ${key} ${turn} ${connection}`;
    if (order.current.asking !== asking) order.current = { asking, asked: 0, shown: 0 };
    const own = order.current;
    own.asked += 1;
    const number = own.asked;
    void bridge.request(name, JSON.parse(key) as InputOf<N>).then((answer) => {
      // news come faster than a busy host answers: an answer counts until a later one is there
      if (order.current !== own || number < own.shown) return;
      own.shown = number;
      setHeld((before) => (before.key === key ? { key, state: answer.ok ? { phase: 'ready', value: answer.value } : { phase: 'failed', fault: answer.error } } : before));
    });
    return undefined;
  }, [name, key, version, turn, connection]);
  useEffect(() => () => { order.current = { asking: '', asked: 0, shown: 0 }; }, []);
  const reload = useCallback(() => {
    setHeld(({ key: own }) => ({ key: own, state: loading() }));
    setTurn((before) => before + 1);
  }, []);
  return { state: held.state, reload };
};
