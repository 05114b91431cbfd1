import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Definition } from '../../shared/capability.ts';
import type { RenderingStep, RenderingView as View } from '../../shared/rendering.ts';
import { JsonView } from './JsonView.tsx';
import { TimeText } from './TimeText.tsx';
import { UntrustedText } from './UntrustedText.tsx';
import css from './RenderingView.module.css';

const FIRST_STEPS = 8;

const Step = ({ step }: { readonly step: RenderingStep }): ReactElement => {
  const { t } = useTranslation();
  return (
    <li>
      <span className={css['kind']} data-kind={step.kind}>{t(`parts.rendering.kind.${step.kind}`)}</span>
      <span>
        {t(`parts.rendering.step.${step.code}`)}{step.detail === undefined || step.place.endsWith(`/${step.detail}`) ? null : <> <code className={css['place']}><UntrustedText text={step.detail} maxLength={80} /></code></>}{' '}
        <code className={css['place']}>{step.place === '' ? t('parts.rendering.place_root') : <UntrustedText text={step.place} maxLength={160} />}</code>
        {step.source === undefined ? null : <> <a href={step.source} title={step.source} target="_blank" rel="noreferrer noopener" className={css['rule']}>{t('parts.rendering.why')}</a></>}
      </span>
    </li>
  );
};

export interface RenderingViewProps {
  readonly original: Definition;
  readonly rendering: View;
  /** the address of the run that proved a refusal */
  readonly runHref?: (runId: string) => string;
  readonly onTryAgain?: () => void;
  /** one of the host's own tools: no server wrote it */
  readonly own?: boolean;
}

/** What a route's model is shown of a tool, each change, and the original beside it. */
export const RenderingView = ({ original, rendering, runHref, onTryAgain, own = false }: RenderingViewProps): ReactElement => {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { setAside, leftOut, steps } = rendering;
  const originalWords = own ? 'parts.rendering.own_original' : 'parts.rendering.original';
  const shown = all ? steps : steps.slice(0, FIRST_STEPS);
  return (
    <div data-rendering={rendering.routeId}>
      <p className={css['head']}>
        <span className={css['state']} data-state={rendering.state}>{own && rendering.state === 'unchanged' ? t('parts.rendering.own') : t(`parts.rendering.state.${rendering.state}`)}{rendering.strict ? `, ${t('parts.rendering.strict')}` : ''}</span>
        {rendering.name === '' ? null : <span className="g-small g-muted">{t('parts.rendering.seen_as')} <code className={css['name']}>{rendering.name}</code></span>}
      </p>
      <p className={css['why']}>{own && rendering.state === 'unchanged' ? t('parts.rendering.own_why') : t(`parts.rendering.state_why.${rendering.state}`)} {leftOut === null || leftOut.code === 'set_aside' ? null : <>{t(`parts.rendering.left_out.${leftOut.code}`)} <span lang="en"><UntrustedText text={leftOut.reason} maxLength={200} /></span></>}</p>
      {setAside === null ? null : (
        <div className={css['aside']} role="status">
          <p>{t(setAside.form === 'set_aside' ? 'parts.rendering.set_aside' : 'parts.rendering.in_plain_words', { model: setAside.model, status: setAside.status })} {t('parts.rendering.set_aside_until')} <TimeText at={setAside.at} /></p>
          <p className="g-small">{t('parts.rendering.provider_says')} <UntrustedText text={setAside.providerSays} maxLength={300} /></p>
          <div className={css['asideActs']}>
            {runHref === undefined ? null : <a href={runHref(setAside.runId)}>{t('parts.rendering.proof')}</a>}
            {onTryAgain === undefined ? null : <Button variant="default" size="xs" onClick={onTryAgain}>{t('parts.rendering.try_again')}</Button>}
          </div>
        </div>
      )}
      {leftOut === null ? (
        <>
          {steps.length === 0 ? <p className="g-small g-muted">{t('parts.rendering.no_steps')}</p> : <><h3 className={css['stepsHead']}>{t('parts.rendering.steps', { count: steps.length })}</h3><ul className={css['steps']}>{shown.map((step, i) => <Step key={i} step={step} />)}</ul></>}
          {steps.length > shown.length ? <button type="button" className={css['more']} onClick={() => setAll(true)}>{t('parts.rendering.all_steps', { count: steps.length })}</button> : null}
          {rendering.description === null || rendering.description === (original.description ?? null) ? null : <><h3 className={css['stepsHead']}>{t('parts.rendering.shown_description')}</h3><div className={css['words']}><UntrustedText text={rendering.description} block maxLength={600} /></div></>}
          <div className={css['sides']}>
            <div><h3>{t(originalWords)}</h3><JsonView text={JSON.stringify(original.inputSchema ?? {})} label={t(originalWords)} maxHeight={280} /></div>
            <div><h3>{t('parts.rendering.shown')}</h3><JsonView text={JSON.stringify(rendering.schema)} label={t('parts.rendering.shown')} maxHeight={280} /></div>
          </div>
        </>
      ) : null}
    </div>
  );
};
