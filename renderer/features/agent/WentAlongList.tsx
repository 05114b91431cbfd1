import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { WentAlong } from '../../../shared/conversation.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { sizeWords } from '../../parts/size-words.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { href } from '../../routes.ts';
import css from './Attach.module.css';

/** What went along with a question that was sent: files, and resources and prompts with the way to their reading. */
export const WentAlongList = ({ runId, along }: { readonly runId: string; readonly along: readonly WentAlong[] }): ReactElement => {
  const { t, i18n } = useTranslation();
  const language = useLanguage();
  const about = ({ kind, mediaType, sizeBytes, code }: WentAlong): string =>
    [t(`agent.along.${kind}`), mediaType?.slice(0, 60), sizeBytes === undefined ? undefined : sizeWords(sizeBytes, language), code === undefined ? undefined : i18n.exists(`code.${code}.sentence`) ? t(`code.${code}.sentence`) : code].filter((words) => words !== undefined && words !== '').join(t('agent.comma'));
  return (
    <ul className={`${css['chips']} ${css['along']}`} aria-label={t('agent.along.title')}>
      {along.map((one, at) => {
        const named = parseCapabilityId(one.name);
        const name = <UntrustedText text={one.kind === 'file' || named === null ? one.name : `${named.serverId} · ${named.name}`} maxLength={90} />;
        return (
          <li key={`${one.invocationId ?? ''} ${at}`} data-kind={one.kind === 'file' ? 'file' : 'resource'}>
            <span>{one.invocationId === undefined ? name : <a href={href.call(runId, one.invocationId)}>{name}</a>} <span className="g-muted"><UntrustedText text={about(one)} maxLength={160} /></span></span>
          </li>
        );
      })}
    </ul>
  );
};
