import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Question } from '../../../shared/question.ts';
import { JsonView } from '../../parts/JsonView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { useSettings } from '../../stores/settings.ts';
import { Blocks } from './Blocks.tsx';
import { modelWishes } from './model-wishes.ts';
import css from './QuestionDialog.module.css';
import { inputTokens } from './token-estimate.ts';

type Sampling = Extract<Question, { readonly kind: 'sampling' }>['sampling'];

/** What the model will be sent, whole: messages, instructions, tools, and how much it may write. */
export const SamplingFacts = ({ sampling }: { readonly sampling: Sampling }): ReactElement => {
  const { t } = useTranslation();
  const language = useLanguage();
  const amount = new Intl.NumberFormat(language);
  const settings = useSettings((s) => s.settings);
  // the smaller one counts: what the server wants, and what the person lets a server have
  const most = settings.phase === 'ready' ? Math.min(sampling.maxTokens, settings.value.samplingLimits.maxTokens) : sampling.maxTokens;
  const tools = sampling.tools ?? [];
  const wishes = modelWishes(sampling.modelPreferences);
  return (
    <>
      <section className={css['section']}>
        <h3>{t('questions.sampling.messages', { count: sampling.messages.length })}</h3>
        <ul className={css['messages']}>
          {sampling.messages.map((message, at) => (
            <li key={at}>
              <p className={css['role']}>{t(`questions.sampling.role_${message.role}`)}</p>
              <Blocks content={message.content} label={t('questions.sampling.message', { place: at + 1 })} />
            </li>
          ))}
        </ul>
      </section>
      {sampling.systemPrompt === undefined ? null : (
        <section className={css['section']}>
          <h3>{t('questions.sampling.system')}</h3>
          <div className={css['said']} tabIndex={0} role="group" aria-label={t('questions.sampling.system')}><UntrustedText text={sampling.systemPrompt} block maxLength={4000} /></div>
        </section>
      )}
      {tools.length === 0 ? null : (
        <section className={css['section']}>
          <h3>{t('questions.sampling.tools', { count: tools.length })}</h3>
          <p className={css['small']}>{t('questions.sampling.tools_about')}{sampling.toolChoice === undefined || sampling.toolChoice.mode === 'auto' ? '' : ` ${t(`questions.sampling.tool_choice_${sampling.toolChoice.mode}`)}`}</p>
          <ul className={css['tools']}>
            {tools.map((tool) => (
              <li key={tool.name}>
                <code className="g-mono"><UntrustedText text={tool.name} maxLength={120} /></code> {tool.description === undefined ? null : <UntrustedText text={tool.description} maxLength={200} />}
                <details><summary className={css['small']}>{t('questions.sampling.tool_input')}</summary><JsonView text={JSON.stringify(tool.inputSchema)} label={t('questions.sampling.tool_input')} maxHeight={180} copy={false} /></details>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={css['section']}>
        <dl className={css['facts']}>
          <div>
            <dt>{t('questions.sampling.cost')}</dt>
            <dd>{t('questions.sampling.tokens', { sent: amount.format(inputTokens(sampling)), most: amount.format(most) })}{most < sampling.maxTokens ? <span className={css['hint']}>{t('questions.sampling.wanted', { wanted: amount.format(sampling.maxTokens) })}</span> : null}</dd>
          </div>
          {sampling.temperature === undefined ? null : <div><dt>{t('questions.sampling.temperature')}</dt><dd>{amount.format(sampling.temperature)}</dd></div>}
          {sampling.stopSequences === undefined || sampling.stopSequences.length === 0 ? null : <div><dt>{t('questions.sampling.stop')}</dt><dd className="g-mono"><UntrustedText text={sampling.stopSequences.map((one) => JSON.stringify(one)).join(' ')} maxLength={200} /></dd></div>}
          {wishes.names.length === 0 && wishes.priorities.length === 0 ? null : (
            <div>
              <dt>{t('questions.sampling.wishes')}</dt>
              <dd>
                {wishes.names.length === 0 ? null : <span className="g-mono"><UntrustedText text={wishes.names.join(', ')} maxLength={200} /></span>}
                {wishes.priorities.map(({ of, share }) => <span key={of} className={css['hint']}>{t(`questions.sampling.priority_${of}`, { share: `${Math.round(share * 100)}` })}</span>)}
              </dd>
            </div>
          )}
        </dl>
        <p className={css['small']}>{t('questions.sampling.cost_about')}</p>
        {sampling.includeContext === undefined || sampling.includeContext === 'none' ? null : <p className={css['small']}>{t(`questions.sampling.context_${sampling.includeContext}`)}</p>}
      </section>
    </>
  );
};
