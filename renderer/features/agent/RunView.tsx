import { Button } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationRun } from '../../../shared/conversation.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Invocation } from '../../../shared/call.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';
import { AnswerText } from '../../parts/AnswerText.tsx';
import { isHeldAfterYes, queuedCalls, type QueuedCall } from '../../parts/queued-calls.ts';
import { LineOfCall } from '../../parts/LineOfCall.tsx';
import { QuestionWaits } from '../../parts/QuestionWaits.tsx';
import { Telling } from '../../parts/Telling.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { UsageText } from '../../parts/UsageText.tsx';
import { href } from '../../routes.ts';
import { openQuestion } from '../../stores/open-question.ts';
import { useQuestionOfCall } from '../../stores/questions.ts';
import { useAppendedEvents } from '../../stores/use-appended-events.ts';
import { useRequest } from '../../stores/use-request.ts';
import { useRunVersion } from '../../stores/use-run-version.ts';
import css from './Agent.module.css';
import { AnswerView } from './AnswerView.tsx';
import { timelineOf } from './timeline-of.ts';
import { useSpoken } from './use-spoken.ts';
import { WentAlongList } from './WentAlongList.tsx';
import { Working } from './Working.tsx';

/** Draws one approval where its call stands; another feature decides it. */
export type ApprovalSlot = (approvalId: string) => ReactNode;

const CallView = ({ runId, call, events, approval }: { readonly runId: string; readonly call: Invocation; readonly events: readonly EvidenceEvent[]; readonly approval: ApprovalSlot }): ReactElement => {
  const { t, i18n } = useTranslation();
  const question = useQuestionOfCall(call.id);
  const named = parseCapabilityId(call.capabilityId);
  const held = isHeldAfterYes(call, events);
  const ended = call.state === 'completed' || call.state === 'failed';
  const code = call.code === null ? null : i18n.exists(`code.${call.code}.sentence`) ? t(`code.${call.code}.sentence`) : call.code;
  return (
    <div className={css['call']} data-state={held ? 'queued' : call.state} data-awaits={(call.state === 'awaiting_approval' && !held) || undefined}>
      <div className={css['callHead']}>
        <a href={href.call(runId, call.id)}><UntrustedText text={named === null ? call.capabilityId.replace(/^unknown:/, '') : `${named.serverId} · ${named.name}`} maxLength={90} /></a>
        <Telling call={call} />
        {call.state === 'failed' && call.stage === 'plan' ? null : <TierBadge tier={call.tier} />}
        <span className={css['callState']} data-state={held ? 'queued' : call.state}>{ended ? (code ?? t(`parts.result.class.${call.class ?? 'ok'}`)) : t(`agent.call.${held ? 'held' : call.state}`)}</span>
      </div>
      <LineOfCall invocation={call} events={events} />
      {question === undefined ? null : <QuestionWaits question={question} onOpen={openQuestion} />}
      {call.state === 'awaiting_approval' && !held && call.approvalId !== null ? approval(call.approvalId) : null}
    </div>
  );
};

/** Calls of the turn that are not on the line yet, since others of their server have to end before. */
const Queued = ({ calls }: { readonly calls: readonly QueuedCall[] }): ReactElement => {
  const { t } = useTranslation();
  return (
    <ul className={css['queued']} aria-label={t('agent.queued.title')}>
      {calls.map((call) => <li key={call.id}><code><UntrustedText text={call.name} maxLength={70} /></code><span className={css['callState']}>{t('agent.queued.waits')}</span></li>)}
    </ul>
  );
};

/** Several calls of one turn wait at once: how many, and the way to each. Each is decided for itself. */
const Asking = ({ calls }: { readonly calls: readonly Invocation[] }): ReactElement => {
  const { t } = useTranslation();
  const go = (approvalId: string | null): void => {
    const region = document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(approvalId ?? '')}"]`);
    region?.scrollIntoView({ block: 'nearest' });
    region?.focus({ preventScroll: true });
  };
  return (
    <div className={css['asking']} data-awaits role="group" aria-label={t('agent.asking.title')}>
      <p>{t('agent.asking.count', { count: calls.length })}</p>
      <ul>{calls.map((call, at) => <li key={call.id}><button type="button" onClick={() => go(call.approvalId)}>{t('agent.asking.one', { at: at + 1 })} <UntrustedText text={parseCapabilityId(call.capabilityId)?.name ?? call.capabilityId} maxLength={50} /> <Telling call={call} /></button></li>)}</ul>
    </div>
  );
};

interface RunViewProps {
  readonly one: ConversationRun;
  readonly approval: ApprovalSlot;
  readonly onStop: (runId: string) => void;
  readonly stopping: boolean;
  /** null: it was answered, or is not the last one */
  readonly onGoOn: (() => void) | null;
  readonly going: boolean;
  /** a sentence of what happens now, for who hears the page */
  readonly onSpoken: (words: string) => void;
}

/** One question of the person and all that came of it, as it happens: words, calls, approvals, answer. */
export const RunView = ({ one, approval, onStop, stopping, onGoOn, going, onSpoken }: RunViewProps): ReactElement => {
  const { t } = useTranslation();
  const { runId, prompt, answer, run } = one;
  const version = useRunVersion(runId);
  const { state: rows } = useAppendedEvents({ runId, types: ['turn.reply', 'turn.failed', 'turn.retry'], limit: 500 }, version);
  const { state: calls } = useRequest('runs:calls', { runId, limit: 200 }, version);
  const turns = useMemo(() => (rows.phase === 'ready' ? rows.value : []), [rows]);
  const moments = useMemo(() => {
    if (calls.phase !== 'ready') return timelineOf(turns, [], answer?.text ?? null);
    const byCall = Map.groupBy(calls.value.events, ({ invocationId }) => invocationId);
    return timelineOf(turns, calls.value.calls.map((call) => ({ call, events: byCall.get(call.id) ?? [] })), answer?.text ?? null);
  }, [turns, calls, answer]);
  const live = run !== undefined && run.endedAt === null;
  // before its calls are read nobody knows whether the model is what is waited for
  const known = rows.phase !== 'loading' && calls.phase !== 'loading';
  const asking = moments.flatMap((moment) => (moment.kind === 'call' && moment.call.state === 'awaiting_approval' && moment.call.approvalId !== null && !isHeldAfterYes(moment.call, moment.events) ? [moment.call] : []));
  const waits = moments.some((moment) => moment.kind === 'call' && moment.call.endedAt === null);
  const calling = moments.flatMap((moment) => (moment.kind === 'call' && moment.call.state === 'running' ? [moment.call] : [])).map(({ capabilityId }) => ({ name: parseCapabilityId(capabilityId)?.name ?? capabilityId })).at(-1);
  const queued = useMemo(() => (live && calls.phase === 'ready' ? queuedCalls(turns, calls.value.events, waits) : []), [live, calls, turns, waits]);
  const askedAt = useMemo(() => Math.max(run?.startedAt ?? 0, turns.at(-1)?.at ?? 0, ...moments.map((moment) => (moment.kind === 'call' ? (moment.call.endedAt ?? 0) : 0))), [run, turns, moments]);
  const spoken = useSpoken({ one, live, asking: asking.length, calling: calling?.name ?? null });
  useEffect(() => { if (spoken !== '' && (known || !live)) onSpoken(spoken); }, [spoken, known, live, onSpoken]);
  return (
    <article className={css['run']} data-exchange tabIndex={-1} aria-label={t('agent.exchange', { prompt: prompt.slice(0, 80) })}>
      <h2 className={css['spoken']}>{t('agent.exchange', { prompt: prompt.slice(0, 80) })}</h2>
      <div className={css['asked']}><UntrustedText text={prompt} block maxLength={2000} /></div>
      {one.along === undefined ? null : <WentAlongList runId={runId} along={one.along} />}
      {run === undefined ? <p className={css['note']}>{t('agent.record_deleted')}</p> : null}
      {asking.length > 1 ? <Asking calls={asking} /> : null}
      {moments.map((moment) => {
        if (moment.kind === 'call') return <CallView key={moment.call.id} runId={runId} call={moment.call} events={moment.events} approval={approval} />;
        if (moment.kind === 'said') return <div key={moment.seq} className={css['said']}><AnswerText text={moment.text} /></div>;
        return null;
      })}
      {queued.length === 0 ? null : <Queued calls={queued} />}
      {live && !waits && known && run.state !== 'awaiting_approval' ? <Working runId={runId} turns={turns} askedAt={askedAt} /> : null}
      {live ? <div><Button color="danger" variant="outline" disabled={stopping} onClick={() => onStop(runId)}>{t(stopping ? 'agent.stopping' : 'agent.stop')}</Button></div> : <AnswerView one={one} />}
      {onGoOn === null ? null : <div className={css['goOn']}><Button disabled={going} onClick={onGoOn}>{t('agent.go_on.button')}</Button><span>{t('agent.go_on.hint')}</span></div>}
      <p className={css['foot']}>
        <a href={href.run(runId)}>{t('agent.record')}</a>
        <span><UntrustedText text={one.model} maxLength={60} /></span>
        {one.usage === null ? null : <UsageText usage={one.usage} />}
      </p>
    </article>
  );
};
