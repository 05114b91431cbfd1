import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from '../routes.ts';
import css from './AgentModes.module.css';

/** The two ways to work: with a model that plans, or guided, without one. */
export const AgentModes = ({ here }: { readonly here: 'agent' | 'planner' }): ReactElement => {
  const { t } = useTranslation();
  return (
    <nav className={css['modes']} aria-label={t('parts.agent_modes.label')}>
      <a href={href.agent()} {...(here === 'agent' ? { 'aria-current': 'page' as const } : {})}>{t('parts.agent_modes.agent')}</a>
      <a href={href.planner()} {...(here === 'planner' ? { 'aria-current': 'page' as const } : {})}>{t('parts.agent_modes.planner')}</a>
    </nav>
  );
};
