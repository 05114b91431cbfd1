import { Button } from '@mantine/core';
import { memo, useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invocation } from '../../../shared/call.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Run } from '../../../shared/run.ts';
import { ProgressLine } from '../../parts/CallNotes.tsx';
import { FlowList } from '../../parts/FlowList.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { LineOfCall } from '../../parts/LineOfCall.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { isHeldAfterYes } from '../../parts/queued-calls.ts';
import { runEndingKey } from '../../parts/run-ending.ts';
import { RunTitle } from '../../parts/RunTitle.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { Telling } from '../../parts/Telling.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { duration } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import type { Opening } from '../../parts/use-opening.ts';
import { useWords } from '../../i18n/use-words.ts';
import { href } from '../../routes.ts';
import { useQuestionOfCall } from '../../stores/questions.ts';
import { useCallProgress } from '../../stores/use-call-progress.ts';
import { act } from '../../stores/act.ts';
import { useRunVersion } from '../../stores/use-run-version.ts';
import { ChainBadge } from './ChainBadge.tsx';
import { DeleteRunButton } from './DeleteRunButton.tsx';
import { EvidencePanel } from './EvidencePanel.tsx';
import { ExportButton } from './ExportButton.tsx';
import { InvocationPanel } from './InvocationPanel.tsx';
import { QueuedCalls } from './QueuedCalls.tsx';
import { SpanPanel } from './SpanPanel.tsx';
import { TurnsPanel } from './TurnsPanel.tsx';
import { outcomeWord } from './outcome-words.ts';
import css from './RunPage.module.css';
import { useCall, useRunCalls, useRunHead, type CallWithEvents, type RunHead } from './use-run.ts';

const nameOf = (invocation: Pick<Invocation, 'capabilityId'>): string => {
  const id = parseCapabilityId(invocation.capabilityId);
  return id === null ? invocation.capabilityId.replace(/^unknown:/, '') : `${id.serverId} · ${id.name}`;
};

/** Refused before it was clear what it is: no tier was looked up, which is another thing than an unknown one. */
const isBeforePlan = (call: Invocation): boolean => call.state === 'failed' && call.stage === 'plan' && call.tier === 'unknown';

const CallRow = memo(function CallRow({ row: { call, events }, selected, onSelect }: { readonly row: CallWithEvents; readonly selected: boolean; readonly onSelect: (id: string) => void }): ReactElement {
  const { t, language } = useWords();
  const word = outcomeWord(call, useQuestionOfCall(call.id) !== undefined, isHeldAfterYes(call, events));
  const progress = useCallProgress(call.id, call.state === 'running', events);
  const took = call.endedAt === null ? null : duration(call.endedAt - call.createdAt - call.waitedMs, language);
  return (
    <div className={css['invocation']} data-selected={selected}>
      <div className={css['name']}>
        <button type="button" aria-pressed={selected} onClick={() => onSelect(call.id)}><UntrustedText text={nameOf(call)} maxLength={90} /></button>
        <Telling call={call} />
        {isBeforePlan(call) ? null : <TierBadge tier={call.tier} />}
      </div>
      <div>
        <LineOfCall invocation={call} events={events} />
        {progress === null ? null : <ProgressLine progress={progress} />}
      </div>
      <span className={css['outcome']} data-tone={word.tone}>{word.key === 'done' && took !== null ? took : t(`runs.outcome.${word.key}`)}{word.place ? <> <code><UntrustedText text={word.place} maxLength={60} /></code></> : null}</span>
    </div>
  );
});

const ROW = 66;
const callId = ({ call }: CallWithEvents): string => call.id;
/** More calls than this are looked at one by one below; the list shows some at a time. */
const FEW_CALLS = 8;

interface CallsProps {
  readonly runId: string;
  readonly version: number;
  readonly ended: boolean;
  /** where the list opens, and whether the address asked for it */
  readonly opening: Opening | null;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

const Calls = ({ runId, version, ended, opening, selected, onSelect }: CallsProps): ReactElement => {
  const { t } = useTranslation();
  const { list, want, retry } = useRunCalls(runId, version, ended);
  const draw = useCallback((row: CallWithEvents) => <CallRow row={row} selected={row.call.id === selected} onSelect={onSelect} />, [selected, onSelect]);
  return (
    <LoadedView of={list} what={t('runs.reading_calls')} rows={3} retry={retry}>
      {(rows) => (
        <div className={css['invocations']} data-many={rows.total > FEW_CALLS}>
          <FlowList ordered scroller={rows.total > FEW_CALLS ? 'own' : 'page'} label={t('runs.calls_label')} rows={rows} idOf={callId} estimate={ROW} onRange={want} opening={opening}>
            {draw}
          </FlowList>
        </div>
      )}
    </LoadedView>
  );
};

/** Why a run came to no result, in words and with the way on; the code stands beside it. */
const RunFailed = ({ run }: { readonly run: Pick<Run, 'kind' | 'code'> }): ReactElement | null => {
  const { t, i18n } = useTranslation();
  const { code } = run;
  const key = code === null ? '' : runEndingKey(run, code);
  if (code === null || !i18n.exists(`${key}.sentence`)) return code === null ? null : <p className={css['why']}><code className="g-mono"><UntrustedText text={code} maxLength={60} /></code></p>;
  return <p className={css['why']}><strong>{t(`${key}.sentence`)}</strong> <code className="g-mono">{code}</code> <span>{t(`${key}.remedy`)}</span></p>;
};

const Loaded = ({ head, version, invocationId }: { readonly head: RunHead; readonly version: number; readonly invocationId: string | null }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const { run, calls, waitedMs } = head;
  const [chosen, setChosen] = useState<string | null>(invocationId);
  const selected = chosen ?? head.shown;
  const [opening] = useState<Opening | null>(() => (head.place === null ? null : { at: head.place, focus: invocationId !== null }));
  const { state, reload } = useCall(selected);
  const ended = run.state === 'completed' || run.state === 'failed';
  return (
    <div>
      <header className={css['header']}>
        <div className={css['headline']}>
          <h1 className="g-title"><RunTitle run={run} maxLength={200} /></h1>
          <p className={css['sub']}>
            <PrincipalName principal={run.principal} via={run.via} kind={run.kind} called={run.agent?.profileName} /> · {run.kind === 'host' ? '' : `${t('runs.calls', { count: calls })} · `}<TimeText at={run.startedAt} />
            {run.endedAt === null ? ` · ${t(`runs.state.${run.state}`)}` : ` · ${duration(run.endedAt - run.startedAt, language)}`}
            {waitedMs > 0 ? t('runs.waited', { time: duration(waitedMs, language) }) : ''} · <Hash value={run.traceId} label={t('runs.trace')} />
          </p>
        </div>
        <div className={css['acts']}>
          <ChainBadge runId={run.id} eventCount={run.eventCount} ended={ended} />
          {ended || run.kind !== 'agent' ? null : <Button color="danger" variant="outline" onClick={() => void act('agent:stop', { runId: run.id })}>{t('runs.stop_run')}</Button>}
          <ExportButton runId={run.id} />
          {ended && run.kind !== 'host' ? <DeleteRunButton run={run} unknown={head.unknown > 0} /> : null}
        </div>
        {run.state === 'failed' ? <RunFailed run={run} /> : null}
      </header>
      {run.kind === 'host' ? null : calls === 0 ? <div className="g-panel"><StateView kind="empty" title={t('runs.no_call_title')} body={t('runs.no_call_body')} /></div> : <Calls runId={run.id} version={version} ended={ended} opening={opening} selected={selected} onSelect={setChosen} />}
      {ended || run.kind !== 'agent' ? null : <QueuedCalls runId={run.id} version={version} />}
      {run.kind === 'host' ? null : <SpanPanel run={run} version={version} selected={selected} onCall={setChosen} />}
      <TurnsPanel runId={run.id} principal={run.principal} version={version} />
      <div className={css['panes']}>
        <EvidencePanel runId={run.id} version={version} total={run.eventCount} invocationId={selected} name={state.phase === 'ready' ? nameOf(state.value) : null} />
        {selected === null ? null : <LoadedView of={state} what={t('runs.reading_call')} rows={4} retry={reload}>{(call) => <InvocationPanel key={call.id} invocation={call} />}</LoadedView>}
      </div>
    </div>
  );
};

/** A run: each call as its line, the evidence behind it with its times, what came of it, and whether the chain holds. */
export const RunPage = ({ runId, invocationId }: { readonly runId: string; readonly invocationId: string | null }): ReactElement => {
  const { t } = useTranslation();
  const version = useRunVersion(runId);
  const { state, reload } = useRunHead(runId, invocationId, version);
  return <LoadedView of={state} what={t('runs.reading_one')} rows={6} retry={reload} list={{ to: href.runs(), words: t('parts.gone.runs') }}>{(head) => <Loaded key={invocationId} head={head} version={version} invocationId={invocationId} />}</LoadedView>;
};
