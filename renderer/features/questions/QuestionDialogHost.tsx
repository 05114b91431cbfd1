import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../parts/later.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useFocusBack } from '../../parts/use-focus-back.ts';
import { parseRoute } from '../../routes.ts';
import { useOpenApproval } from '../../stores/open-approval.ts';
import { closeQuestion, openQuestion, useOpenQuestion } from '../../stores/open-question.ts';
import { useQuestion, useQuestions } from '../../stores/questions.ts';
import { loadQuestionDialog } from './load-question-dialog.ts';
import css from './QuestionBanner.module.css';
import { standingOf } from './question-standing.ts';

const QuestionDialog = later(() => loadQuestionDialog().then((m) => m.QuestionDialog));

/**
 * Shows the question that was asked for, and announces new ones without taking the focus: a dialog opens only by a click, an address, or because
 * a try-out of this very window asks. An approval that is open is decided first.
 */
export const QuestionDialogHost = (): ReactElement | null => {
  const { t } = useTranslation();
  const questions = useQuestions((state) => state.questions);
  const openId = useOpenQuestion((state) => state.questionId);
  const approving = useOpenApproval((state) => state.approvalId !== null);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const known = useRef(false);
  const waiting = questions.phase === 'ready' ? questions.value : [];
  useEffect(() => {
    // what already waited when the window opened is told by the rail and the bottom edge
    if (questions.phase !== 'ready' || known.current) return;
    known.current = true;
    setDismissed(new Set(questions.value.map((one) => one.id)));
  }, [questions]);
  const read = useQuestion(openId);
  const shown = openId !== null && !approving && (read.phase === 'ready' || read.phase === 'failed');
  const { leave: leaveFocus } = useFocusBack(shown);
  useEffect(() => {
    // an address that was followed is a new place: the question waits on and is told there again; its own address opens it, also once more
    const follow = (): void => {
      const route = parseRoute(location.hash);
      if (route.page === 'questions' && route.questionId !== null) return openQuestion(route.questionId);
      if (openId === null) return;
      leaveFocus();
      closeQuestion();
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [openId, leaveFocus]);
  const close = (): void => {
    if (openId !== null) setDismissed((was) => new Set([...was, openId]));
    closeQuestion();
    if (location.hash.startsWith('#/questions/')) history.replaceState(null, '', '#/questions');
  };
  if (shown) {
    return <QuestionDialog key={openId} read={read} waiting={waiting} onClose={close} onGo={openQuestion} />;
  }
  const fresh = waiting.filter((one) => !dismissed.has(one.id) && one.id !== openId && standingOf(one) !== 'working');
  const first = fresh[0];
  if (first === undefined) return <div role="status" className={css['spoken']} />;
  return (
    <div role="status" className={css['banner']}>
      <div className={css['words']}>
        <p className={css['title']}><UntrustedText text={first.serverName} maxLength={60} />{t(`questions.banner.${standingOf(first) === 'review' ? 'review' : first.kind}`)}</p>
        {fresh.length > 1 ? <p className={css['more']}>{t('questions.banner.more', { count: fresh.length - 1 })}</p> : null}
      </div>
      <button type="button" className={css['open']} data-review-next onClick={() => openQuestion(first.id)}>{t('questions.open')}</button>
      <button type="button" className={css['later']} onClick={() => setDismissed(new Set([...dismissed, ...fresh.map((one) => one.id)]))}>{t('questions.banner.later')}</button>
    </div>
  );
};
