import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { openQuestion } from '../../stores/open-question.ts';
import { useQuestions, useWaitingQuestions } from '../../stores/questions.ts';
import { useRequest } from '../../stores/use-request.ts';
import { stateWord } from './end-words.ts';
import css from './QuestionsPage.module.css';

/** The newest of a server; the page of questions has all. */
const SHOWN = 8;

/** What one server may ask and has asked. */
export const ServerQuestions = ({ serverId }: { readonly serverId: string }): ReactElement => {
  const { t } = useTranslation();
  const ended = useQuestions((state) => state.ended);
  const waiting = useWaitingQuestions();
  const { state, reload } = useRequest('questions:list', {}, `${ended} ${waiting.length}`);
  const models = useRequest('questions:models', {});
  const sampling = models.state.phase === 'ready' ? t(models.state.value.models.length > 0 ? 'questions.server.offered_sampling' : 'questions.server.not_offered_sampling') : '';
  return (
    <section className="g-panel" aria-label={t('questions.server.title')}>
      <h2 className="g-heading">{t('questions.server.title')}</h2>
      <p className="g-small">{t('questions.server.about')}</p>
      <p className="g-small g-muted">{t('questions.server.offered')}{sampling}{t('questions.server.offered_end')}</p>
      <LoadedView of={state} what={t('questions.reading')} rows={2} retry={reload}>
        {(value) => {
          const own = value.questions.filter((one) => one.serverId === serverId).slice(0, SHOWN);
          if (own.length === 0) return <p className="g-small g-muted">{t('questions.none_of_server')}</p>;
          return (
            <ul className={css['history']} aria-label={t('questions.server.history')}>
              {own.map((one) => (
                <li key={one.id} className="g-small">
                  <span><button type="button" className={css['link']} onClick={() => openQuestion(one.id)}>{t(`questions.kind.${one.kind}`)}</button></span>
                  <span>{t(stateWord(one))}</span>
                  <TimeText at={one.endedAt ?? one.askedAt} />
                </li>
              ))}
            </ul>
          );
        }}
      </LoadedView>
    </section>
  );
};
