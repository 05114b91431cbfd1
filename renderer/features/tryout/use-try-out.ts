import { useCallback, useEffect, useRef, useState } from 'react';
import type { Invocation } from '../../../shared/call.ts';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Question } from '../../../shared/question.ts';
import type { Result } from '../../../shared/result.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { bridge } from '../../bridge/bridge.ts';
import { openApproval } from '../../stores/open-approval.ts';
import { openQuestion } from '../../stores/open-question.ts';
import { useQuestions } from '../../stores/questions.ts';

export type TryOut =
  | { readonly phase: 'idle' }
  | { readonly phase: 'sending' }
  | { readonly phase: 'refused'; readonly fault: Fault }
  | { readonly phase: 'following'; readonly invocation: Invocation; readonly events: readonly EvidenceEvent[] };

const merged = (some: readonly EvidenceEvent[], more: readonly EvidenceEvent[]): readonly EvidenceEvent[] =>
  more.length === 0 ? some : [...new Map([...some, ...more].map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);

/** How a call is begun: by itself as a try-out, or within a run. */
export type SendCall = (call: { readonly capabilityId: string; readonly inputText: string }) => Promise<Result<Pick<OutputOf<'calls:try'>, 'invocationId' | 'runId'>, Fault>>;

const asTryOut: SendCall = (call) => bridge.request('calls:try', { ...call, wait: false });

/** Starts one call and follows it by the host's events; opens the dialog when the call asks, because the person has just caused it here. */
export const useTryOut = (capabilityId: string, send: SendCall = asTryOut): { readonly tryOut: TryOut; readonly start: (inputText: string) => Promise<void>; readonly stop: () => void } => {
  const [tryOut, setTryOut] = useState<TryOut>({ phase: 'idle' });
  const following = useRef<{ readonly invocationId: string; readonly runId: string } | null>(null);
  const asked = useRef<string | null>(null);
  const questioned = useRef(new Set<string>());
  const heard = useRef<Invocation | null>(null);

  const take = useCallback((invocation: Invocation, events?: readonly EvidenceEvent[]) => {
    if (following.current?.invocationId !== invocation.id) return;
    setTryOut((was) => ({ phase: 'following', invocation, events: merged(was.phase === 'following' && was.invocation.id === invocation.id ? was.events : [], events ?? []) }));
    if (invocation.state === 'awaiting_approval' && invocation.approvalId !== null && asked.current !== invocation.approvalId) {
      asked.current = invocation.approvalId;
      openApproval(invocation.approvalId);
    }
  }, []);

  /** Opens what the server of this very call asks, once: the person has just caused it here. */
  const openAsked = useCallback((question: Question) => {
    if (question.state !== 'waiting' || question.invocationId === null || question.invocationId !== following.current?.invocationId || questioned.current.has(question.id)) return;
    questioned.current.add(question.id);
    openQuestion(question.id);
  }, []);

  const read = useCallback(async () => {
    const at = following.current;
    if (at === null) return;
    const before = heard.current;
    const [call, run] = await Promise.all([bridge.request('calls:get', { invocationId: at.invocationId }), bridge.request('runs:get', { runId: at.runId })]);
    if (!call.ok) return;
    // what was heard while the reading was on its way is newer than it
    const newer = heard.current !== before && heard.current?.id === at.invocationId ? heard.current : call.value.invocation;
    take(newer, run.ok ? run.value.events.filter((e) => e.invocationId === at.invocationId) : undefined);
  }, [take]);

  useEffect(() => {
    const ends = [
      bridge.on('invocation:changed', ({ invocation }) => {
        if (invocation.id === following.current?.invocationId) heard.current = invocation;
        take(invocation);
      }),
      bridge.on('run:event', ({ event }) => {
        const next = event.data['newInvocationId'];
        if (event.type === 'approval.edited' && event.invocationId === following.current?.invocationId && typeof next === 'string') {
          // an edited input is a new call of the same run: the person who edited it here goes on with that one
          following.current = { invocationId: next, runId: event.runId };
          void read();
        }
        setTryOut((was) => (was.phase === 'following' && event.invocationId === was.invocation.id && !was.events.some((e) => e.seq === event.seq) ? { ...was, events: [...was.events, event] } : was));
      }),
      bridge.on('question:changed', ({ question }) => {
        openAsked(question);
      }),
      bridge.onConnection((state) => {
        if (state === 'connected') void read();
      }),
    ];
    return () => ends.forEach((end) => end());
  }, [take, read, openAsked]);

  useEffect(() => {
    following.current = null;
    setTryOut({ phase: 'idle' });
  }, [capabilityId]);

  const start = useCallback(
    async (inputText: string) => {
      setTryOut({ phase: 'sending' });
      const answer = await send({ capabilityId, inputText });
      if (!answer.ok) return setTryOut({ phase: 'refused', fault: answer.error });
      following.current = { invocationId: answer.value.invocationId, runId: answer.value.runId };
      // what was asked before the call was known here
      const { questions } = useQuestions.getState();
      if (questions.phase === 'ready') questions.value.forEach(openAsked);
      await read();
    },
    [capabilityId, read, openAsked, send],
  );
  const stop = useCallback(() => {
    if (following.current !== null) void bridge.request('calls:stop', { invocationId: following.current.invocationId });
  }, []);
  return { tryOut, start, stop };
};
