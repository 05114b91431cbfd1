import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmbeddingsTest as Tested } from '../../../../shared/embeddings.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { duration } from '../../../parts/times.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import css from './Agent.module.css';
import { useInSight } from './use-in-sight.ts';

/** What a test of the endpoint found, step by step: the first that fails says what is wrong. */
export const EmbeddingsTest = ({ tested }: { readonly tested: Tested }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const seen = useInSight(tested);
  return (
    <section ref={seen} className={css['tested']} aria-label={t('models.embeddings.test.title')}>
      <p role="status" className={css['verdict']} data-ok={tested.ok}>{t(tested.ok ? 'models.embeddings.test.good' : 'models.embeddings.test.bad')}</p>
      <ol>
        {tested.steps.map(({ step, state, fault }) => (
          <li key={step} data-state={state}>
            <span className={css['stepName']}>{t(`models.embeddings.test.step.${step}`)}</span> <span className={css['stepState']}>{t(`models.test.state.${state}`)}</span>
            {fault === null ? null : <FaultView fault={fault} compact />}
          </li>
        ))}
      </ol>
      {tested.answer === null ? null : <p className="g-small g-muted">{t('models.embeddings.test.answered', { time: duration(tested.answer.ms, language), dimension: tested.answer.dimension.toLocaleString(language) })}</p>}
    </section>
  );
};
