import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { LineOfCall } from '../../parts/LineOfCall.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { ResultView } from '../../parts/ResultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import css from './Planner.module.css';
import type { Step } from './use-guided-run.ts';

const Result = ({ invocationId }: { readonly invocationId: string }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('calls:get', { invocationId });
  return <LoadedView of={state} what={t('planner.reading_result')} rows={2} retry={reload}>{({ invocation }) => <ResultView invocation={invocation} />}</LoadedView>;
};

const StepRow = ({ step, number, runId }: { readonly step: Step; readonly number: number; readonly runId: string }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const ended = step.call.state === 'completed' || step.call.state === 'failed';
  return (
    <li>
      <div className={css['step']}>
        <span className={css['stepName']}><span className="g-muted">{t('planner.step', { step: number })}</span> <a href={href.call(runId, step.invocationId)}><UntrustedText text={parseCapabilityId(step.capabilityId)?.name ?? step.capabilityId} maxLength={80} /></a></span>
        <LineOfCall invocation={step.call} compact />
        <span className={css['stepState']} data-state={step.call.state}>{t(`planner.state.${step.call.state}`)}</span>
        {ended ? <button type="button" className={css['link']} aria-expanded={open} onClick={() => setOpen(!open)}>{t(open ? 'planner.hide_result' : 'planner.show_result')}</button> : <span />}
      </div>
      {open ? <Result invocationId={step.invocationId} /> : null}
    </li>
  );
};

/** What was done in this run so far: each call as its line, with its result on demand. */
export const StepList = ({ runId, steps }: { readonly runId: string; readonly steps: readonly Step[] }): ReactElement => {
  const { t } = useTranslation();
  return <ol className={css['steps']} aria-label={t('planner.run')}>{steps.map((step, at) => <StepRow key={step.invocationId} step={step} number={at + 1} runId={runId} />)}</ol>;
};
