import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, ConversationRun } from '../../../shared/conversation.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { bridge } from '../../bridge/bridge.ts';
import { AnswerText } from '../../parts/AnswerText.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href, type SettingsSection } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import css from './Agent.module.css';
import { answerCopy, type CopiedSource } from './answer-copy.ts';
import { endingWords, standingOf } from './ending-words.ts';

/** A result that the answer cites: which call it is of, and whether it may be cited at all. */
const Source = ({ answer, label }: { readonly answer: Answer; readonly label: string }): ReactElement => {
  const { t } = useTranslation();
  const standing = standingOf(answer, label);
  const invocationId = answer.citations.results[label];
  return (
    <li data-standing={standing}>
      <code>{label}</code>{' '}
      {invocationId === undefined ? null : <Call invocationId={invocationId} />}{' '}
      <span className={css['standing']}>{t(`agent.citation.${standing}`)}</span>
    </li>
  );
};

const Call = ({ invocationId }: { readonly invocationId: string }): ReactElement | null => {
  const { state } = useRequest('calls:get', { invocationId });
  if (state.phase !== 'ready') return null;
  const { runId, capabilityId } = state.value.invocation;
  return <a href={href.call(runId, invocationId)}><UntrustedText text={parseCapabilityId(capabilityId)?.name ?? capabilityId} maxLength={80} /></a>;
};

/** Causes that are mended elsewhere than their code says. */
const SETTINGS_OF: Readonly<Record<string, SettingsSection>> = { no_price: 'models', too_many_steps: 'profiles', token_limit: 'profiles', money_limit: 'profiles', proxy_refused: 'network', certificate_untrusted: 'network', address_refused: 'network', secret_store_locked: 'secrets' };

/** Particulars of a model that did not answer: what was met, what its provider says, from when on it may be asked again. */
const Why = ({ why: { message, details } }: { readonly why: NonNullable<Answer['why']> }): ReactElement => {
  const { t, i18n } = useTranslation();
  const says = typeof details['providerSays'] === 'string' ? details['providerSays'].trim() : '';
  const retryAt = typeof details['retryAt'] === 'number' ? details['retryAt'] : null;
  return (
    <div className={css['why']}>
      {retryAt === null ? null : <p>{t('agent.why.retry_at')}<TimeText at={retryAt} /></p>}
      {says === '' ? null : <p>{t('agent.why.provider_says')}<UntrustedText text={says} maxLength={400} /></p>}
      {/* the host writes English */}
      {i18n.language.startsWith('en') ? <p><UntrustedText text={message} maxLength={400} /></p> : <details><summary>{t('agent.why.details')}</summary><p lang="en"><UntrustedText text={message} maxLength={400} /></p></details>}
    </div>
  );
};

/** Read when it is asked for: which calls the labels stand for. */
const sourcesOf = (answer: Answer, standing: (label: string) => string): Promise<readonly CopiedSource[]> =>
  Promise.all(answer.citations.cited.map(async (label): Promise<CopiedSource> => {
    const invocationId = answer.citations.results[label];
    const read = invocationId === undefined ? null : await bridge.request('calls:get', { invocationId });
    if (read === null || !read.ok) return { label, standing: standing(label), call: null };
    const { runId, capabilityId } = read.value.invocation;
    const named = parseCapabilityId(capabilityId);
    return { label, standing: standing(label), call: { invocationId: invocationId!, runId, name: named?.name ?? capabilityId, serverId: named?.serverId ?? '' } };
  }));

/** How a run ended, in words; the answer with its citations checked against the results. */
export const AnswerView = ({ one }: { readonly one: ConversationRun }): ReactElement => {
  const { t, i18n } = useTranslation();
  const { answer, runId } = one;
  const { ending, sentence, remedy, code } = endingWords(one, i18n);
  const section = code === null ? null : SETTINGS_OF[code] ?? (code.startsWith('model_') ? 'models' : null);
  const citation = useCallback(
    (label: string) => {
      const standing = answer === null ? 'unknown' : standingOf(answer, label);
      const invocationId = answer?.citations.results[label];
      const name = t('agent.citation.name', { label, standing: t(`agent.citation.${standing}`) });
      return invocationId === undefined ? <span className={css['citation']} data-standing={standing} title={name}>{label}</span> : <a className={css['citation']} data-standing={standing} href={href.call(runId, invocationId)} title={name} aria-label={name}>{label}</a>;
    },
    [answer, runId, t],
  );
  const { cited = [] } = answer?.citations ?? {};
  const said = answer !== null && answer.text.trim() !== '';
  return (
    <div className={css['answer']} data-ending={ending ?? 'none'}>
      {said ? <AnswerText text={answer.text} citation={citation} /> : null}
      {sentence === null ? null : <p className={css['ending']} data-ending={ending}>{sentence}{code === null ? null : <> <code>{code}</code></>}</p>}
      {remedy === null ? null : <p className={css['remedy']}>{remedy}{section === null ? null : <> <a href={href.settings(section)}>{t(section === 'network' ? 'agent.to_network' : 'agent.settings')}</a></>}</p>}
      {answer?.why === undefined || code === null ? null : <Why why={answer.why} />}
      {said ? <p className={css['answerActs']}><CopyButton text={async () => answerCopy(answer.text, t('agent.citation.title'), await sourcesOf(answer, (label) => t(`agent.citation.${standingOf(answer, label)}`)))} name={t('agent.copy_name')} words={t(cited.length === 0 ? 'agent.copy' : 'agent.copy_cited')} /></p> : null}
      {cited.length === 0 || answer === null ? null : (
        <section aria-label={t('agent.citation.title')} className={css['sources']}>
          <h3 className="g-heading">{t('agent.citation.title')}</h3>
          <ul>{cited.map((label) => <Source key={label} answer={answer} label={label} />)}</ul>
        </section>
      )}
    </div>
  );
};
