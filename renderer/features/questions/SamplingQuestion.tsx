import { Button, Loader, Radio } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SamplingModelChoice } from '../../../shared/question.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useArmed } from '../../parts/use-armed.ts';
import { useNow } from '../../parts/use-now.ts';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import { AnswerFault, AnswerMeans, RefuseButtons } from './AnswerParts.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import type { QuestionViewProps } from './QuestionDialog.tsx';
import css from './QuestionDialog.module.css';
import { isOpenGate, standingOf } from './question-standing.ts';
import { SamplingFacts } from './SamplingFacts.tsx';
import { useAnswer } from './use-answer.ts';

const Models = ({ models, wantsTools, chosen, onChoose, disabled }: { readonly models: readonly SamplingModelChoice[]; readonly wantsTools: boolean; readonly chosen: string | null; readonly onChoose: (id: string) => void; readonly disabled: boolean }): ReactElement => {
  const { t } = useTranslation();
  if (models.length === 0) {
    return (
      <div className={css['warning']} role="note">
        <p>{t('questions.sampling.no_model')}</p>
        <p><a href={href.settings('models')}>{t('questions.sampling.no_model_go')}</a></p>
      </div>
    );
  }
  return (
    <Radio.Group aria-label={t('questions.sampling.model')} value={chosen} onChange={onChoose}>
      <div className={css['fields']}>
        {models.map((model) => {
          const unfit = wantsTools && !model.tools;
          return <Radio key={model.id} value={model.id} disabled={disabled || unfit} label={<><UntrustedText text={model.title} maxLength={120} /> <span className="g-muted"><UntrustedText text={model.provider} maxLength={80} /></span></>} description={unfit ? t('questions.sampling.no_tools') : undefined} />;
        })}
      </div>
    </Radio.Group>
  );
};

/** A server wants the person's model to write something. The person sees all of it, chooses the model, and agrees to this one request. */
export const SamplingQuestion = ({ question, ...around }: QuestionViewProps<'sampling'>): ReactElement => {
  const { t } = useTranslation();
  const answering = useAnswer(question.id);
  const standing = standingOf(question);
  const armed = useArmed(`${question.id} ${standing}`);
  const now = useNow(1000);
  const { state, reload } = useRequest('questions:models', {});
  const [chosen, setChosen] = useState<string | null>(null);
  const working = standing === 'working';
  const open = isOpenGate({ standing, armed, busy: answering.busy, expired: now >= question.expiresAt });
  const models = state.phase === 'ready' ? state.value.models : [];
  const wantsTools = (question.sampling.tools ?? []).length > 0;
  const fit = models.filter((model) => !wantsTools || model.tools);
  const modelId = chosen ?? (fit.length === 1 ? fit[0]!.id : null);
  const asked = question.sampling.asked;
  return (
    <DialogFrame
      question={question}
      {...around}
      title={t('questions.title.sampling')}
      timed
      standing={standing}
      note={!working && open && models.length > 0 && modelId === null ? t('questions.sampling.choose') : null}
      acts={
        <>
          <RefuseButtons answering={answering} open={open} onDone={around.onClose} />
          {working ? null : <Button color="accent" variant="outline" disabled={!open || modelId === null} onClick={() => modelId !== null && void answering.send({ action: 'accept', modelId })}>{t('questions.act.accept_sampling')}</Button>}
        </>
      }
    >
      {working && asked !== null ? (
        <section className={css['section']} role="status">
          <div className={css['working']}>
            <Loader size="sm" aria-hidden="true" />
            <p className={css['effect']}>{t('questions.sampling.working')} <UntrustedText text={models.find((one) => one.id === asked.modelId)?.title ?? asked.modelId} maxLength={120} /></p>
          </div>
          <p className={css['small']}>{t('questions.sampling.working_about')}</p>
        </section>
      ) : (
        <section className={css['section']}>
          <p className={css['effect']}>{t('questions.effect.sampling')}</p>
          <p className={css['small']}>{t('questions.sampling.about')}</p>
          {question.sampling.failed === undefined ? null : <FaultView fault={question.sampling.failed} compact />}
        </section>
      )}
      <SamplingFacts sampling={question.sampling} />
      {working ? null : (
        <section className={css['section']}>
          <h3>{t('questions.sampling.model')}</h3>
          <LoadedView of={state} what={t('questions.sampling.reading_models')} rows={2} retry={reload}>
            {(value) => <Models models={value.models} wantsTools={wantsTools} chosen={modelId} onChoose={setChosen} disabled={answering.busy} />}
          </LoadedView>
        </section>
      )}
      <AnswerFault fault={answering.fault} />
      <AnswerMeans question={question} words="sampling" open={open} onDone={around.onClose} />
    </DialogFrame>
  );
};
