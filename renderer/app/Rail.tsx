import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, type Route } from '../routes.ts';
import { useApprovals } from '../stores/approvals.ts';
import { useHealth } from '../stores/health.ts';
import { useWaitingQuestions } from '../stores/questions.ts';
import { Logo } from './Logo.tsx';
import classes from './Rail.module.css';

const ITEMS = [
  { key: 'market', to: href.market(), pages: ['market', 'add market'] },
  { key: 'servers', to: href.servers(), pages: ['servers', 'server', 'configure', 'import', 'add npm', 'add command', 'add http'] },
  { key: 'capabilities', to: href.capabilities(), pages: ['capabilities', 'capability'] },
  { key: 'agent', to: href.agent(), pages: ['agent', 'planner'] },
  { key: 'approvals', to: href.approvals(), pages: ['approvals', 'questions'] },
  { key: 'runs', to: href.runs(), pages: ['runs', 'run'] },
  { key: 'settings', to: href.settings(), pages: ['settings'] },
] as const;

/** The pages that work. What waits for the person is counted beside its page, in words for a screen reader. */
export function Rail({ route, skip }: { readonly route: Route; readonly skip: ReactNode }) {
  const { t } = useTranslation();
  const here = route.page === 'add' ? `add ${route.from}` : route.page;
  const approvals = useApprovals((state) => state.approvals);
  const health = useHealth((state) => state.health);
  const questions = useWaitingQuestions();
  const awaiting = (approvals.phase === 'ready' ? approvals.value.length : 0) + questions.length;
  const toReview = health.phase === 'ready' ? health.value.needsReview : 0;
  return (
    <nav className={classes['rail']} aria-label={t('app.pages')}>
      {skip}
      <div className={classes['brand']}>
        <Logo />
        <span>Gantry</span>
      </div>
      <ul className={classes['list']}>
        {ITEMS.map(({ key, to, pages }) => (
          <li key={key}>
            <a className={classes['item']} href={to} {...((pages as readonly string[]).includes(here) ? { 'aria-current': 'page' } : {})}>
              {t(`app.page.${key}`)}
              {key === 'approvals' && awaiting > 0 && (
                <span className={classes['count']}>
                  {awaiting}
                  <VisuallyHidden> {t('app.awaitYou')}</VisuallyHidden>
                </span>
              )}
              {key === 'capabilities' && toReview > 0 && (
                <span className={classes['quiet']}>
                  {toReview}
                  <VisuallyHidden> {t('app.awaitReview')}</VisuallyHidden>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <div className={classes['foot']}>
        <a className={classes['item']} href={href.guide()} {...(route.page === 'guide' ? { 'aria-current': 'page' } : {})}>
          {t('app.page.guide')}
        </a>
        <a className={classes['item']} href={href.help()} {...(route.page === 'help' ? { 'aria-current': 'page' } : {})}>
          {t('app.page.help')}
        </a>
      </div>
    </nav>
  );
}
