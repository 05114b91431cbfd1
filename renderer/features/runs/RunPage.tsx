import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Invocation } from '../../../shared/call.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { Hash } from '../../parts/Hash.tsx';
import { LineOfCall } from '../../parts/LineOfCall.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { PrincipalName } from '../../parts/PrincipalName.tsx';
import { RunTitle } from '../../parts/RunTitle.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { TierBadge } from '../../parts/TierBadge.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { duration } from '../../parts/times.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { href } from '../../routes.ts';
import { ChainBadge } from './ChainBadge.tsx';
import { DeleteRunButton } from './DeleteRunButton.tsx';
import { EvidencePanel } from './EvidencePanel.tsx';
import { ExportButton } from './ExportButton.tsx';
import { InvocationPanel } from './InvocationPanel.tsx';
import { TurnsPanel } from './TurnsPanel.tsx';
import { outcomeWord } from './outcome-words.ts';
import css from './RunPage.module.css';
import { useRun } from './use-run.ts';
import type { RunWithEvents } from './use-run.ts';

const nameOf = (invocation: Invocation): string => {
  const id = parseCapabilityId(invocation.capabilityId);
  return id === null ? invocation.capabilityId : `${id.serverId} · ${id.name}`;
};

const InvocationRow = ({ invocation, events, selected, onSelect }: { readonly invocation: Invocation; readonly events: RunWithEvents['events']; readonly selected: boolean; readonly onSelect: () => void }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const word = outcomeWord(invocation);
  const took = invocation.endedAt === null ? null : duration(invocation.endedAt - invocation.createdAt - invocation.waitedMs, language);
  return (
    <li className={css['invocation']} data-selected={selected}>
      <div className={css['name']}>
        <button type="button" aria-pressed={selected} onClick={onSelect}><UntrustedText text={nameOf(invocation)} maxLength={90} /></button>
        <TierBadge tier={invocation.tier} />
      </div>
      <LineOfCall invocation={invocation} events={events} />
      <span className={css['outcome']} data-tone={word.tone}>{word.key === 'done' && took !== null ? took : t(`runs.outcome.${word.key}`)}</span>
    </li>
  );
};

const Loaded = ({ value, invocationId }: { readonly value: RunWithEvents; readonly invocationId: string | null }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const { run, events } = value;
  const invocations = run.invocations ?? [];
  const [chosen, setChosen] = useState<string | null>(invocationId);
  const selected = invocations.find((i) => i.id === chosen) ?? invocations.find((i) => i.state === 'awaiting_approval') ?? invocations.find((i) => i.state === 'failed') ?? invocations[0];
  const waited = invocations.reduce((n, i) => n + i.waitedMs, 0);
  const ended = run.state === 'completed' || run.state === 'failed';
  return (
    <div>
      <header className={css['header']}>
        <div className={css['headline']}>
          <h1 className="g-title"><RunTitle run={run} maxLength={200} /></h1>
          <p className={css['sub']}>
            <PrincipalName principal={run.principal} via={run.via} kind={run.kind} /> · {run.kind === 'host' ? '' : `${t('runs.calls', { count: invocations.length })} · `}<TimeText at={run.startedAt} />
            {run.endedAt === null ? ` · ${t(`runs.state.${run.state}`)}` : ` · ${duration(run.endedAt - run.startedAt, language)}`}
            {waited > 0 ? t('runs.waited', { time: duration(waited, language) }) : ''} · <Hash value={run.traceId} label={t('runs.trace')} />
          </p>
        </div>
        <div className={css['acts']}>
          <ChainBadge runId={run.id} eventCount={events.length} ended={ended} />
          <ExportButton runId={run.id} />
          {ended && run.kind !== 'host' ? <DeleteRunButton run={run} /> : null}
        </div>
      </header>
      {run.kind === 'host' ? null : invocations.length === 0 ? <div className="g-panel"><StateView kind="empty" title={t('runs.no_call_title')} body={t('runs.no_call_body')} /></div> : (
        <ol className={css['invocations']} aria-label={t('runs.calls_label')}>
          {invocations.map((i) => <InvocationRow key={i.id} invocation={i} events={events.filter((e) => e.invocationId === i.id)} selected={i.id === selected?.id} onSelect={() => setChosen(i.id)} />)}
        </ol>
      )}
      <TurnsPanel events={events} />
      <div className={css['panes']}>
        <EvidencePanel events={events} invocationId={selected?.id ?? null} name={selected === undefined ? null : nameOf(selected)} />
        {selected === undefined ? null : <InvocationPanel key={selected.id} invocation={selected} />}
      </div>
    </div>
  );
};

/** A run: each call as its line, the evidence behind it with its times, what came of it, and whether the chain holds. */
export const RunPage = ({ runId, invocationId }: { readonly runId: string; readonly invocationId: string | null }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRun(runId);
  return <LoadedView of={state} what={t('runs.reading_one')} rows={6} retry={reload} list={{ to: href.runs(), words: t('parts.gone.runs') }}>{(value) => <Loaded key={invocationId} value={value} invocationId={invocationId} />}</LoadedView>;
};
