import { Button, Textarea } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { PlannedTool } from '../../../shared/planner.ts';
import type { Result } from '../../../shared/result.ts';
import { AgentModes } from '../../parts/AgentModes.tsx';
import { FaultView } from '../../parts/FaultView.tsx';
import { StateView } from '../../parts/StateView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { Offered } from './Offered.tsx';
import css from './Planner.module.css';
import { StepList } from './StepList.tsx';
import { useFirstField } from './use-first-field.ts';
import { useGuidedRun } from './use-guided-run.ts';

/** The form of a tool and the call that it becomes; another feature draws it. */
export type ToolForm = (call: { readonly capabilityId: string; readonly send: (call: { readonly capabilityId: string; readonly inputText: string }) => Promise<Result<{ readonly invocationId: string; readonly runId: string }, Fault>> }) => ReactNode;

interface Chosen {
  readonly tool: PlannedTool;
  readonly rank: number;
  /** choosing the same one again begins its form anew */
  readonly turn: number;
}

const requestOf = (filters: string | undefined): string => new URLSearchParams(filters ?? '').get('q')?.trim() ?? '';
const LONGEST = 4_000;

/** A person says what they want and goes from tool to form to call to the next one, with no model in it. */
export const PlannerPage = ({ filters, form }: { readonly filters: string | undefined; readonly form: ToolForm }): ReactElement => {
  const { t } = useTranslation();
  const request = requestOf(filters).slice(0, LONGEST);
  const [text, setText] = useState(request);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const { run, send, finish, reset } = useGuidedRun();
  const field = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    setText(request);
    setChosen(null);
  }, [request]);
  useEffect(() => { heading.current?.focus(); }, [chosen]);
  const find = (event?: FormEvent): void => {
    event?.preventDefault();
    if (text.trim() === '') return field.current?.focus();
    asked.current = true;
    location.hash = href.planner(text.trim().slice(0, LONGEST));
  };
  const { capabilityId } = chosen?.tool ?? { capabilityId: null };
  const rank = chosen?.rank ?? null;
  const sendChosen = useCallback((call: { readonly capabilityId: string; readonly inputText: string }) => send({ ...call, request, rank }), [send, request, rank]);
  const anew = (): void => {
    reset();
    setChosen(null);
    location.hash = href.planner();
    field.current?.focus();
  };
  const last = run.steps.at(-1);
  const place = useFirstField(heading, chosen);
  return (
    <div className={css['page']}>
      <header className={css['header']}>
        <div>
          <h1 className="g-title">{t('planner.title')}</h1>
          <p className={css['lead']}>{t('planner.about')}</p>
        </div>
        <AgentModes here="planner" />
      </header>
      {run.ended && run.runId !== null ? (
        <div className={css['after']} role="status">
          <p>{t('planner.finished', { count: run.steps.length })}</p>
          <Button component="a" href={href.run(run.runId)}>{t('planner.evidence')}</Button>
          <Button variant="filled" onClick={anew}>{t('planner.anew')}</Button>
        </div>
      ) : (
        <form className={css['ask']} onSubmit={find}>
          <Textarea ref={field} data-page-search className={css['field']!} label={t(run.steps.length > 0 ? 'planner.next_request' : 'planner.request')} placeholder={t('planner.example')} autosize minRows={1} maxRows={6} maxLength={LONGEST} value={text}
            onChange={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) find(event); }} />
          <Button type="submit" variant="filled">{t('planner.find')}</Button>
        </form>
      )}
      {run.runId === null || run.steps.length === 0 ? null : (
        <section className="g-panel" aria-label={t('planner.run')}>
          <div className={css['runHead']}>
            <div><h2 className="g-heading">{t('planner.run')}</h2><p className="g-small g-muted">{t('planner.run_about')}</p></div>
            {run.ended ? null : <Button onClick={() => void finish()}>{t('planner.finish')}</Button>}
          </div>
          <StepList runId={run.runId} steps={run.steps} />
          {run.ended || last?.call.state !== 'completed' ? null : <p className={css['next']} role="status">{t('planner.after')}</p>}
          {run.fault === null ? null : <FaultView fault={run.fault} compact />}
        </section>
      )}
      {request === '' || run.ended ? null : (
        <div className={css['columns']}>
          <Offered request={request} chosen={capabilityId} focusFirst={asked} onChoose={(tool, at) => setChosen((was) => ({ tool, rank: at, turn: (was?.turn ?? 0) + 1 }))} />
          <section ref={place} data-keys={chosen === null ? undefined : 'written'} className={`g-panel ${css['form']}`} aria-label={chosen === null ? t('planner.choose_first.title') : t('planner.chosen', { name: chosen.tool.name })}>
            {chosen === null ? <StateView kind="empty" title={t('planner.choose_first.title')} body={t('planner.choose_first.body')} /> : (
              <>
                <div className={css['formHead']}>
                  <h2 ref={heading} className={css['formTitle']} tabIndex={-1}><UntrustedText text={t('planner.chosen', { name: chosen.tool.name })} maxLength={120} /></h2>
                  <a href={href.capability(chosen.tool.capabilityId)}>{t('planner.its_page')}</a>
                </div>
                <div key={`${chosen.turn} ${chosen.tool.capabilityId}`}>{form({ capabilityId: chosen.tool.capabilityId, send: sendChosen })}</div>
              </>
            )}
          </section>
        </div>
      )}
    </div>
  );
};
