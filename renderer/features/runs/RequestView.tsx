import { SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonView } from '../../parts/JsonView.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useRequest } from '../../stores/use-request.ts';
import { compareMessages, compareNamed, countOf, requestParts, type Compared, type RequestParts } from './request-parts.ts';
import css from './RequestView.module.css';

const EMPTY: RequestParts = { messages: [], tools: [], settings: [] };
const BODY = 260;

const PieceView = ({ one, spoken }: { readonly one: Compared; readonly spoken: boolean }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(one.state !== 'same' && one.state !== 'removed' && spoken);
  const name = spoken && ['system', 'user', 'assistant', 'tool'].includes(one.piece.name) ? t(`runs.request.role.${one.piece.name}`) : one.piece.name;
  const state = t(`runs.request.state.${one.state}`);
  return (
    <li className={css['piece']} data-state={one.state}>
      <button type="button" className={css['pieceHead']} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={css['pieceState']}>{state}</span>
        <span className={css['pieceName']}>{spoken ? name : <code><UntrustedText text={name} maxLength={90} /></code>}</span>
        <span className="g-small g-muted">{t('runs.request.size', { count: one.piece.text.length })}</span>
      </button>
      {open ? <JsonView text={one.piece.text} label={`${state} ${name}`} maxHeight={BODY} {...(one.state === 'changed' ? { before: one.before.text } : {})} /> : null}
    </li>
  );
};

/** The pieces of one kind; those that are as in the turn before only on demand. */
const Pieces = ({ label, all, spoken = false }: { readonly label: string; readonly all: readonly Compared[]; readonly spoken?: boolean }): ReactElement | null => {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const same = countOf(all, 'same');
  const shown = whole ? all : all.filter(({ state }) => state !== 'same');
  if (all.length === 0) return null;
  return (
    <section aria-label={label} className={css['pieces']}>
      <h4 className={css['kind']}>{label} <span className="g-small g-muted">{(['added', 'changed', 'removed'] as const).flatMap((state) => (countOf(all, state) === 0 ? [] : [t(`runs.request.count.${state}`, { count: countOf(all, state) })])).join(' · ')}</span></h4>
      {same === 0 ? null : <button type="button" className={css['same']} aria-expanded={whole} onClick={() => setWhole(!whole)}>{t(whole ? 'runs.request.hide_same' : 'runs.request.same', { count: same })}</button>}
      <ul>{shown.map((one, at) => <PieceView key={`${at} ${one.state} ${one.piece.name}`} one={one} spoken={spoken} />)}</ul>
    </section>
  );
};

const Requests = ({ text, before, turn }: { readonly text: string; readonly before: string | null; readonly turn: number }): ReactElement => {
  const { t } = useTranslation();
  const [mode, setMode] = useState<'changes' | 'whole'>('changes');
  const parts = useMemo(() => requestParts(text), [text]);
  const compared = useMemo(() => {
    if (parts === null) return null;
    const then = (before === null ? null : requestParts(before)) ?? EMPTY;
    return { messages: compareMessages(then.messages, parts.messages), tools: compareNamed(then.tools, parts.tools), settings: compareNamed(then.settings, parts.settings) };
  }, [parts, before]);
  return (
    <div className={css['request']}>
      <div className={css['head']}>
        <h3 className={css['title']}>{t('runs.turn_request')}</h3>
        {compared === null ? null : <SegmentedControl size="xs" aria-label={t('runs.request.mode')} value={mode} onChange={(value) => setMode(value === 'whole' ? 'whole' : 'changes')} data={[{ value: 'changes', label: before === null ? t('runs.request.parts') : t('runs.request.against', { turn: turn - 1 }) }, { value: 'whole', label: t('runs.request.whole') }]} />}
      </div>
      {compared === null || mode === 'whole' ? <JsonView text={text} label={t('runs.turn_request')} maxHeight={360} /> : (
        <>
          <Pieces label={t('runs.request.messages')} all={compared.messages} spoken />
          <Pieces label={t('runs.request.tools')} all={compared.tools} />
          <Pieces label={t('runs.request.settings')} all={compared.settings} />
        </>
      )}
    </div>
  );
};

/** Exactly what the model was sent in a turn, secrets taken out, against the turn before. `place`: of its record among the requests of the run. */
export const RequestView = ({ runId, place, turn }: { readonly runId: string; readonly place: number; readonly turn: number }): ReactElement => {
  const { t } = useTranslation();
  const first = Math.max(0, place - 1);
  const { state, reload } = useRequest('runs:events', { runId, types: ['turn.request'], offset: first, limit: place - first + 1 });
  return (
    <LoadedView of={state} what={t('runs.request.reading')} rows={4} retry={reload}>
      {({ events }) => {
        const texts = events.map(({ data }) => String(data['request'] ?? ''));
        return <Requests text={texts.at(-1) ?? ''} before={texts.length > 1 ? texts[0]! : null} turn={turn} />;
      }}
    </LoadedView>
  );
};
