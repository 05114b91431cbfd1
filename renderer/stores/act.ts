import { create } from 'zustand';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Fault } from '../../shared/fault.ts';
import { bridge } from '../bridge/bridge.ts';

export interface FailedAct {
  readonly id: number;
  readonly fault: Fault;
}

/** Acts of this window that failed and have no place of their own to say so; the frame shows them. */
export const useFailedActs = create<{ readonly failed: readonly FailedAct[] }>(() => ({ failed: [] }));

/** Asks the host to do something. A failure is never silent: it is put where the frame shows it, and null is returned. */
export const act = async <N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N> | null> => {
  const answer = await bridge.request(name, input);
  if (answer.ok) return answer.value;
  useFailedActs.setState(({ failed }) => ({ failed: [...failed.slice(-9), { id: (failed.at(-1)?.id ?? 0) + 1, fault: answer.error }] }));
  return null;
};
