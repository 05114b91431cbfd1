import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunLimits } from '../../../shared/agent-profile.ts';
import type { Usage } from '../../../shared/model.ts';
import { moneyWords, UsageText } from '../../parts/UsageText.tsx';
import css from './Agent.module.css';

/** What the last question used, against what a run may use; nothing where there is no limit, since each question tells what it used. */
export const LimitsText = ({ usage, limits }: { readonly usage: Usage | null; readonly limits: RunLimits | null }): ReactElement | null => {
  const { t, i18n } = useTranslation();
  if (usage === null) return null;
  const format = new Intl.NumberFormat(i18n.language);
  const most = [
    ...(limits?.tokens == null ? [] : [t('agent.limit.tokens', { count: limits.tokens, shown: format.format(limits.tokens) })]),
    ...(limits?.money == null ? [] : [t('agent.limit.money', { money: moneyWords(limits.money, usage.currency, i18n.language) })]),
    ...(limits?.steps == null ? [] : [t('agent.limit.steps', { count: limits.steps })]),
  ];
  if (most.length === 0) return null;
  return <p className={css['limits']}>{t('agent.used')} <UsageText usage={usage} />{` · ${t('agent.limit.title', { limits: most.join(t('agent.comma')) })}`}</p>;
};
