import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { UntrustedText } from './UntrustedText.tsx';

/** Who asks, in words: the user, the built-in agent, or a kind with its name. */
export const PrincipalName = ({ principal }: { readonly principal: string }): ReactElement => {
  const { t } = useTranslation();
  const [kind = '', name = ''] = principal.split(':', 2);
  if (principal === 'user') return <>{t('parts.principal.user')}</>;
  if (principal === 'agent:default') return <>{t('parts.principal.agent_default')}</>;
  const known = ['agent', 'flow', 'outside', 'app'].includes(kind);
  return known ? <>{t(`parts.principal.${kind}`)} <UntrustedText text={name} /></> : <UntrustedText text={principal} />;
};
