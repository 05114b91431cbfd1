import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { ruleSentence } from '../../parts/rule-sentence.ts';

/** The deciding rule in words; its id is at hand where the pointer rests, for who looks it up. */
export const RuleWords = ({ ruleId }: { readonly ruleId: string }): ReactElement => {
  const { t, i18n } = useTranslation();
  return <span title={ruleId}>{t(ruleSentence(ruleId, (key) => i18n.exists(key)))}</span>;
};
