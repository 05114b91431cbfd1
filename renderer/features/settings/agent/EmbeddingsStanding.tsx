import { Button, Progress } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmbeddingsStatus } from '../../../../shared/embeddings.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { useLanguage } from '../../../parts/use-language.ts';
import { act } from '../../../stores/act.ts';
import css from './Agent.module.css';

const TONE: Partial<Readonly<Record<EmbeddingsStatus['state'], string>>> = { on: 'good', failed: 'bad' };

/** Whether the endpoint takes part in the ranking, how far its vectors are, what was measured, and why not where it does not. */
export const EmbeddingsStanding = ({ status }: { readonly status: EmbeddingsStatus }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state, done, of, gate, fault, againAt, dimension, requests, retries, texts } = status;
  const shown = (value: number): string => value.toLocaleString(language);
  const percent = (value: number): string => shown(Math.round(value * 100));
  const sentence = state === 'failed' && done > 0 ? 'failed_partly' : state === 'gated' && gate?.why === 'too_few' ? 'unjudged' : state;
  return (
    <>
      <p role="status" className={css['state']} data-tone={TONE[state]}>{t(`models.embeddings.state.${sentence}`, { done: shown(done), of: shown(of), why: gate?.why == null ? '' : t(`models.embeddings.why.${gate.why}`) })}</p>
      {state === 'indexing' || state === 'judging' ? <Progress className={css['progress']} value={of === 0 ? 0 : (done / of) * 100} aria-label={t('models.embeddings.progress')} /> : null}
      {fault === null ? null : (
        <>
          <FaultView fault={fault} compact />
          <div className={css['acts']}><Button size="xs" onClick={() => void act('embeddings:retry', {})}>{t('models.embeddings.again')}</Button>{againAt === null ? null : <span className="g-small g-muted">{t('models.embeddings.state.again_at')}</span>}</div>
        </>
      )}
      {gate === null || gate.why === 'too_few' || (state !== 'on' && state !== 'gated') ? null : (
        <p className="g-small g-muted">
          {t('models.embeddings.measured', { tried: shown(gate.tried), among: shown(gate.among), words: percent(gate.words), model: percent(gate.model), together: percent(gate.together) })}
          {gate.weight === 0 ? null : <> {t('models.embeddings.weight', { weight: percent(gate.weight) })} {t(gate.chinese === true ? 'models.embeddings.chinese_yes' : 'models.embeddings.chinese_no')}</>}
        </p>
      )}
      {requests === 0 ? null : <p className="g-small g-muted">{t('models.embeddings.counts', { requests: shown(requests), retries: shown(retries), texts: shown(texts) })}{dimension === null ? null : <> {t('models.embeddings.dimension', { dimension: shown(dimension) })}</>}</p>}
    </>
  );
};
