import { useRef, useState } from 'react';
import type { InputOf } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';

type Answer = Omit<InputOf<'questions:answer'>, 'questionId'>;

export interface Answering {
  /** True: the host took it. */
  readonly send: (answer: Answer) => Promise<boolean>;
  readonly busy: boolean;
  readonly fault: Fault | null;
  /** an answer to this question was given in this window */
  readonly mine: boolean;
}

/** Gives a person's answer, one at a time: a second click while the first is on its way is none. */
export const useAnswer = (questionId: string): Answering => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [mine, setMine] = useState(false);
  const sending = useRef(false);
  const send = async (answer: Answer): Promise<boolean> => {
    if (sending.current) return false;
    sending.current = true;
    setBusy(true);
    setFault(null);
    const taken = await bridge.request('questions:answer', { questionId, ...answer });
    sending.current = false;
    setBusy(false);
    if (taken.ok) setMine(true);
    else setFault(taken.error);
    return taken.ok;
  };
  return { send, busy, fault, mine };
};
