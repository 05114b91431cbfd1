import { useEffect, useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import type { Question } from '../../../shared/question.ts';
import { DataGrid } from '../../parts/DataGrid.tsx';
import type { GridColumn } from '../../parts/DataGrid.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { wholeRows } from '../../parts/paged-rows.ts';
import { StateView } from '../../parts/StateView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useNarrow } from '../../parts/use-narrow.ts';
import { href } from '../../routes.ts';
import { openQuestion } from '../../stores/open-question.ts';
import { isOpen, useQuestions } from '../../stores/questions.ts';
import { useRequest } from '../../stores/use-request.ts';
import { stateWord } from './end-words.ts';
import css from './QuestionsPage.module.css';
import { WaitingQuestions } from './WaitingQuestions.tsx';

/** What servers asked: what waits for the person first, then what was answered or is over. */
export const QuestionsPage = ({ questionId }: { readonly questionId: string | null }): ReactElement => {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const questions = useQuestions((state) => state.questions);
  const endedCount = useQuestions((state) => state.ended);
  const { state, reload } = useRequest('questions:list', {}, endedCount);
  useEffect(() => {
    if (questionId !== null) openQuestion(questionId);
  }, [questionId]);
  const columns = useMemo<readonly GridColumn<Question>[]>(
    () => [
      { key: 'what', title: t('questions.column.what'), width: 'minmax(0, 1.3fr)', cell: (one) => <button type="button" className={css['link']} onClick={() => openQuestion(one.id)}>{t(`questions.kind.${one.kind}`)}</button> },
      { key: 'server', title: t('questions.column.server'), width: 'minmax(0, 1fr)', cell: (one) => <a href={href.server(one.serverId)}><UntrustedText text={one.serverName} /></a> },
      { key: 'call', title: t('questions.column.call'), width: 'minmax(0, 1.3fr)', narrow: null, cell: (one) => (one.runId === null || one.invocationId === null ? '–' : <a href={href.call(one.runId, one.invocationId)}><UntrustedText text={parseCapabilityId(one.capabilityId ?? '')?.name ?? one.capabilityId ?? ''} /></a>) },
      { key: 'answer', title: t('questions.column.answer'), width: 'minmax(0, 1fr)', cell: (one) => t(stateWord(one)) },
      { key: 'at', title: t('questions.column.when'), width: '120px', narrow: '108px', cell: (one) => <TimeText at={one.endedAt ?? one.askedAt} /> },
    ],
    [t],
  );
  return (
    <div>
      <h1 className="g-title">{t('questions.page')}</h1>
      <LoadedView of={questions} what={t('questions.reading')}>
        {(waiting) => (waiting.length > 0 ? <WaitingQuestions /> : <section className={css['section']} aria-label={t('questions.waiting')}><div className="g-panel"><StateView kind="empty" title={t('questions.none_title')} body={t('questions.none_body')} /></div></section>)}
      </LoadedView>
      <LoadedView of={state} what={t('questions.reading')} retry={reload}>
        {(value) => {
          const past = value.questions.filter((one) => !isOpen(one));
          return (
            <section className={css['section']} aria-label={t('questions.past')}>
              <h2>{t('questions.past')}{past.length > 0 ? t('questions.count', { count: past.length }) : ''}</h2>
              <p className={css['note']}>{t(past.length === 0 ? 'questions.none_past' : 'questions.since_start')}</p>
              {past.length === 0 ? null : <DataGrid label={t('questions.past')} rows={wholeRows(past)} columns={columns} idOf={(one) => one.id} onOpen={(one) => openQuestion(one.id)} rowHeight={narrow ? 52 : 36} />}
            </section>
          );
        }}
      </LoadedView>
    </div>
  );
};
