import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTest as Tested } from '../../../../shared/model.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { duration } from '../../../parts/times.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { UsageText } from '../../../parts/UsageText.tsx';
import { useLanguage } from '../../../parts/use-language.ts';
import css from './Agent.module.css';
import { useInSight } from './use-in-sight.ts';

/** What a test of a model found, step by step: the first that fails says what is wrong. */
export const ModelTest = ({ tested }: { readonly tested: Tested }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const seen = useInSight(tested);
  return (
    <section ref={seen} className={css['tested']} aria-label={t('models.test.title')}>
      <p role="status" className={css['verdict']} data-ok={tested.ok}>{t(tested.ok ? 'models.test.good' : 'models.test.bad')}</p>
      <ol>
        {tested.steps.map(({ step, state, fault }) => (
          <li key={step} data-state={state}>
            <span className={css['stepName']}>{t(`models.test.step.${step}`)}</span> <span className={css['stepState']}>{t(`models.test.state.${state}`)}</span>
            {fault === null ? null : <FaultView fault={fault} compact />}
          </li>
        ))}
      </ol>
      {tested.answer === null ? null : <p className="g-small g-muted">{tested.answer.text.trim() === '' ? t('models.test.answered_nothing', { time: duration(tested.answer.ms, language) }) : <>{t('models.test.answered', { time: duration(tested.answer.ms, language) })} <UntrustedText text={tested.answer.text} maxLength={160} /></>} · <UsageText usage={tested.answer.usage} /></p>}
    </section>
  );
};
