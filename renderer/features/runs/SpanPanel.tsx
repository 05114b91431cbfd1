import { memo, useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useWords } from '../../i18n/use-words.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Run } from '../../../shared/run.ts';
import type { RunSpan } from '../../../shared/run-span.ts';
import { FlowList } from '../../parts/FlowList.tsx';
import { wholeRows } from '../../parts/paged-rows.ts';
import { duration, wholeNumber } from '../../parts/times.ts';
import { ShownText, UntrustedText } from '../../parts/UntrustedText.tsx';
import { UsageText } from '../../parts/UsageText.tsx';
import { useNow } from '../../parts/use-now.ts';
import { useRunSpans } from '../../stores/use-run-spans.ts';
import { spanRows, type SpanRow } from './span-rows.ts';
import css from './SpanPanel.module.css';

const ROW = 32;
const spanId = ({ span }: SpanRow): string => span.id;
/** What one token stands for, about, in what a model is told. */
const BYTES_PER_TOKEN = 4;

const nameOf = ({ capabilityId = '' }: RunSpan): string => parseCapabilityId(capabilityId)?.name ?? capabilityId.replace(/^unknown:/, '');

const Name = ({ span }: { readonly span: RunSpan }): ReactElement => {
  const { t } = useWords();
  if (span.kind === 'call') return <span className={css['oneLine']} title={nameOf(span).slice(0, 300)}><ShownText text={nameOf(span).slice(0, 300)} /></span>;
  if (span.kind === 'model') return <>{t('runs.span.model')}{span.model === undefined ? null : <> <code><UntrustedText text={span.model} maxLength={50} /></code></>}</>;
  return <>{t(`runs.span.${span.kind}`, { turn: span.turn ?? 0, attempt: span.attempt ?? 1 })}</>;
};

const Weight = ({ span }: { readonly span: RunSpan }): ReactElement | null => {
  const { t, language } = useWords();
  if (span.tokens !== undefined) return <UsageText usage={{ inputTokens: span.tokens.input, outputTokens: span.tokens.output, cachedTokens: span.tokens.cached, estimated: span.tokens.estimated, cost: span.tokens.cost, currency: span.tokens.currency }} />;
  if (span.toldBytes === undefined) return null;
  const format = wholeNumber(language);
  return <span title={t('runs.span.told_why', { bytes: format(span.toldBytes) })}>{t('runs.span.told', { tokens: format(Math.ceil(span.toldBytes / BYTES_PER_TOKEN)) })}</span>;
};

interface RowProps {
  readonly row: SpanRow;
  readonly selected: boolean;
  readonly onToggle: (id: string) => void;
  readonly onCall: (invocationId: string) => void;
  /** for what has not ended */
  readonly now: number;
}

const Row = memo(function Row({ row: { span, depth, opens, open, from, share }, selected, onToggle, onCall, now }: RowProps): ReactElement {
  const { t, language } = useWords();
  const outcome = span.outcome === null ? null : [`runs.span.outcome.${span.outcome}`, `runs.outcome.${span.outcome}`, `code.${span.outcome}.sentence`].find((key) => i18next.exists(key));
  const name = <Name span={span} />;
  return (
    <div className={css['row']} data-kind={span.kind} data-selected={selected} data-failed={span.failed}>
      <span className={css['name']} style={{ paddingInlineStart: depth * 18 }}>
        {opens ? (
          <button type="button" className={css['toggle']} aria-expanded={open} aria-label={t(open ? 'runs.span.close' : 'runs.span.open')} onClick={() => onToggle(span.id)}><svg width="10" height="10" viewBox="0 0 10 10" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true"><path d={open ? 'm1.5 3.5 3.5 3.5 3.5-3.5' : 'm3.5 1.5 3.5 3.5-3.5 3.5'} /></svg></button>
        ) : <span className={css['leaf']} aria-hidden="true" />}
        {span.kind === 'call' && span.invocationId !== undefined ? <button type="button" className={css['call']} onClick={() => onCall(span.invocationId!)}>{name}</button> : <span>{name}</span>}
        {span.outcome === null || !span.failed ? null : <span className={css['outcome']}>{outcome == null ? <code><UntrustedText text={span.outcome} maxLength={40} /></code> : t(outcome)}</span>}
      </span>
      <span className={css['weight']}><Weight span={span} /></span>
      <span className={css['track']} aria-hidden="true"><span className={css['bar']} style={{ insetInlineStart: `${from * 100}%`, width: `${Math.min(share, 1 - from) * 100}%` }} /></span>
      <span className={css['took']}>{duration((span.endedAt ?? now) - span.startedAt, language)}</span>
    </div>
  );
});

const Running = ({ of, ...props }: Omit<LoadedProps, 'until'>): ReactElement => <Loaded of={of} {...props} until={useNow(1000)} />;

interface LoadedProps {
  readonly of: { readonly spans: readonly RunSpan[]; readonly total: number };
  readonly run: Pick<Run, 'startedAt' | 'endedAt'>;
  readonly selected: string | null;
  readonly onCall: (invocationId: string) => void;
  readonly until: number;
}

const Loaded = ({ of: { spans, total }, run, selected, onCall, until }: LoadedProps): ReactElement => {
  const { t } = useTranslation();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => spanRows(spans, toggled, { startedAt: run.startedAt, until }), [spans, toggled, run.startedAt, until]);
  const paged = useMemo(() => wholeRows(rows), [rows]);
  const toggle = useCallback((id: string): void => setToggled((was) => (was.has(id) ? new Set([...was].filter((one) => one !== id)) : new Set([...was, id]))), []);
  const draw = useCallback((row: SpanRow) => <Row row={row} selected={row.span.kind === 'call' && row.span.invocationId === selected} onToggle={toggle} onCall={onCall} now={row.span.endedAt ?? until} />, [selected, toggle, onCall, until]);
  return (
    <>
      <FlowList label={t('runs.span.title')} scroller={rows.length > 12 ? 'own' : 'page'} rows={paged} idOf={spanId} estimate={ROW} ordered>
        {draw}
      </FlowList>
      {spans.length < total ? <p className="g-small g-muted">{t('runs.span.part', { count: spans.length, total })}</p> : null}
    </>
  );
};

/** Where a run's time and tokens went: turns, model requests, calls and their tries, waiting for people. */
export const SpanPanel = ({ run, version, selected, onCall }: { readonly run: Pick<Run, 'id' | 'startedAt' | 'endedAt'>; readonly version: number; readonly selected: string | null; readonly onCall: (invocationId: string) => void }): ReactElement | null => {
  const { t } = useTranslation();
  const state = useRunSpans(run.id, version);
  if (state.phase !== 'ready' || state.value.spans.length === 0) return null;
  return (
    <section className={`g-panel ${css['panel']}`} aria-label={t('runs.span.title')}>
      <h2 className="g-heading">{t('runs.span.title')}</h2>
      {run.endedAt === null ? <Running of={state.value} run={run} selected={selected} onCall={onCall} /> : <Loaded of={state.value} run={run} selected={selected} onCall={onCall} until={run.endedAt} />}
    </section>
  );
};
