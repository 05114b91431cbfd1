import { useCallback, useEffect, useRef, useState } from 'react';
import type { Invocation } from '../../../shared/call.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';

export interface Step {
  readonly invocationId: string;
  readonly capabilityId: string;
  readonly call: Pick<Invocation, 'state' | 'stage' | 'code' | 'class'>;
}
export interface GuidedRun {
  readonly runId: string | null;
  readonly steps: readonly Step[];
  readonly ended: boolean;
  readonly fault: Fault | null;
}
const NONE: GuidedRun = { runId: null, steps: [], ended: false, fault: null };

/** How to call within the run: the run begins with its first call. `rank`: the place of the tool in what was offered. */
export interface Sender {
  readonly request: string;
  readonly capabilityId: string;
  readonly inputText: string;
  readonly rank: number | null;
}

/** One run of the guided planner, kept open from call to call until the person finishes it or leaves. */
export const useGuidedRun = () => {
  const [run, setRun] = useState<GuidedRun>(NONE);
  const runId = useRef<string | null>(null);

  const send = useCallback(async ({ request, rank, ...call }: Sender) => {
    const within = async (id: string) => bridge.request('planner:call', { runId: id, ...call, ...(rank === null ? {} : { rank }) });
    const begin = async () => {
      const begun = await bridge.request('planner:begin', { request });
      if (begun.ok) {
        runId.current = begun.value.runId;
        setRun({ ...NONE, runId: begun.value.runId });
      }
      return begun;
    };
    let answer = runId.current === null ? null : await within(runId.current);
    // left alone for long, the host has ended it: the person goes on in another one
    if (answer === null || (!answer.ok && answer.error.code === 'conflict')) {
      const begun = await begin();
      if (!begun.ok) return begun;
      answer = await within(begun.value.runId);
    }
    if (answer.ok) {
      const { invocationId, state, code = null } = answer.value;
      setRun((was) => ({ ...was, steps: withStep(was.steps, { invocationId, capabilityId: call.capabilityId, call: { state, stage: 'plan', code, class: answer.value.class ?? null } }) }));
      const now = await bridge.request('calls:get', { invocationId });
      if (now.ok) take(now.value.invocation);
    }
    return answer;
  }, []);

  const take = (invocation: Invocation): void => setRun((was) => (invocation.runId === was.runId ? { ...was, steps: withCall(was.steps, invocation) } : was));
  useEffect(() => bridge.on('invocation:changed', ({ invocation }) => take(invocation)), []);
  // who leaves has finished; a call that is still under way keeps it open on the host
  useEffect(() => () => void (runId.current !== null && bridge.request('planner:end', { runId: runId.current })), []);

  const finish = useCallback(async () => {
    if (runId.current === null) return;
    const ended = await bridge.request('planner:end', { runId: runId.current });
    if (ended.ok) runId.current = null;
    setRun((was) => ({ ...was, ended: ended.ok, fault: ended.ok ? null : ended.error }));
  }, []);
  const reset = useCallback(() => setRun(NONE), []);
  return { run, send, finish, reset };
};

/** The host may have told of the call before it answered. */
const withStep = (steps: readonly Step[], step: Step): readonly Step[] => (steps.some(({ invocationId }) => invocationId === step.invocationId) ? steps : [...steps, step]);

/** A step that moved; a call of an edited input is a further one. */
const withCall = (steps: readonly Step[], { id, capabilityId, state, stage, code, class: resultClass }: Invocation): readonly Step[] => {
  const call = { state, stage, code, class: resultClass };
  return steps.some((step) => step.invocationId === id) ? steps.map((step) => (step.invocationId === id ? { ...step, call } : step)) : [...steps, { invocationId: id, capabilityId, call }];
};
