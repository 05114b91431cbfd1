import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './ApprovalDialog.module.css';

/** The deciding rule: a built-in one in our words, the user's own by its id. */
export const RuleWords = ({ ruleId }: { readonly ruleId: string }): ReactElement => {
  const { t, i18n } = useTranslation();
  const key = `approvals.rule.${ruleId.replaceAll(/[^a-z0-9]+/gi, '_')}`;
  return i18n.exists(key) ? <>{t(key)} <code className={css['code']}>{ruleId}</code></> : <>{t('approvals.rule.own')} <code className={css['code']}><UntrustedText text={ruleId} /></code></>;
};
