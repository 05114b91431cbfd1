import type { ReactElement } from 'react';
import type { Via } from '../../shared/principal.ts';
import type { Run } from '../../shared/run.ts';
import { useWords } from '../i18n/use-words.ts';
import { UntrustedText } from './UntrustedText.tsx';

/** Who asks, in words: the user (a script, where the call came by the command: nobody at the window made it), the built-in agent, or a kind with its name. `within`: inside a sentence, where no capital begins it. `kind`: of the run; what a person did to the record was no try-out. `called`: the name of its profile, where it is known. */
export const PrincipalName = ({ principal, via, within = false, kind: runKind, called }: { readonly principal: string; readonly via?: Via | undefined; readonly within?: boolean; readonly kind?: Run['kind']; readonly called?: string | undefined }): ReactElement => {
  const { t } = useWords();
  const words = within ? 'parts.principal_within' : 'parts.principal';
  const [kind = '', name = ''] = principal.split(':', 2);
  if (principal === 'user') return <>{t(`${words}.${via === 'command' || via === 'script' ? 'script' : runKind === 'host' ? 'person' : 'user'}`)}</>;
  if (principal === 'host') return <>{t(`${words}.host`)}</>;
  if (principal === 'agent:default') return <>{t(`${words}.agent_default`)}</>;
  const known = ['agent', 'flow', 'outside', 'app'].includes(kind);
  return known ? <>{t(`${words}.${kind}`)} <UntrustedText text={called ?? name} /></> : <UntrustedText text={principal} />;
};
