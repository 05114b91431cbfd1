import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from '../../routes.ts';
import { useApprovals } from '../../stores/approvals.ts';
import { useWaitingQuestions } from '../../stores/questions.ts';
import css from './InboxTabs.module.css';

/** The two kinds of things that wait for a person: calls to approve, and questions of servers. */
export const InboxTabs = ({ here }: { readonly here: 'approvals' | 'questions' }): ReactElement => {
  const { t } = useTranslation();
  const approvals = useApprovals((state) => (state.approvals.phase === 'ready' ? state.approvals.value.length : 0));
  const questions = useWaitingQuestions().length;
  const tabs = [
    { key: 'approvals', to: href.approvals(), count: approvals },
    { key: 'questions', to: href.questions(), count: questions },
  ] as const;
  return (
    <nav className={css['tabs']} aria-label={t('questions.tabs')}>
      {tabs.map(({ key, to, count }) => (
        <a key={key} className={css['tab']} href={to} {...(key === here ? { 'aria-current': 'page' } : {})}>
          {t(`questions.tab.${key}`)}
          {count > 0 ? <span className={css['count']}>{count}</span> : null}
        </a>
      ))}
    </nav>
  );
};
