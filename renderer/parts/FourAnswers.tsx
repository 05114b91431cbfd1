import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FourAnswers as Answers } from '../../shared/server.ts';
import { relativeTime } from './times.ts';
import { useLanguage } from './use-language.ts';
import css from './FourAnswers.module.css';

const QUESTIONS = ['identity', 'access', 'line', 'failures'] as const;
const SHAPES = { yes: 'm3.5 8.4 3 3 6-6.4', not_yet: 'M4.6 8h6.8', no: 'm5 5 6 6M11 5l-6 6' } as const;

/** The four questions of the design, each answered yes, not yet or no by a fact with its numbers. `reading`: what it offers is being read just now. */
export const FourAnswers = ({ answers, reading = false }: { readonly answers: Answers; readonly reading?: boolean }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <ul className={css['answers']} aria-label={t('parts.answers.title')}>
      {QUESTIONS.map((question) => {
        const { answer, fact, numbers } = answers[question];
        const last = numbers['lastUnknownAt'];
        const when = last === undefined || last === 0 ? '' : relativeTime(last, Date.now(), language);
        return (
          <li key={question} className={css['answer']} data-answer={answer}>
            <svg className={css['mark']} width="18" height="18" viewBox="0 0 16 16" role="img" aria-label={t(`parts.answers.${answer}`)} fill="none" stroke="currentColor" strokeWidth="1.7">
              <path d={SHAPES[answer]} />
            </svg>
            <div>
              <p className={css['question']}>{t(`parts.answers.${question}`)}</p>
              <p className={css['asked']}>{t(`parts.answers.${question}_question`)}</p>
              <p className={css['fact']}>{t(`parts.answers.facts.${reading && fact === 'identity.nothing_discovered' ? 'identity_reading' : fact.replace('.', '_')}`, { ...numbers, count: countOf(question, numbers), when })}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
};

/** The number whose plural the sentence turns on. */
const TURNS_ON = { identity: ['duplicates', 'ids'], access: ['changes'], line: ['calls'], failures: ['unknown', 'failures'] } as const;
const countOf = (question: (typeof QUESTIONS)[number], numbers: Readonly<Record<string, number>>): number => TURNS_ON[question].map((name) => numbers[name] ?? 0).find((number) => number > 0) ?? 0;
