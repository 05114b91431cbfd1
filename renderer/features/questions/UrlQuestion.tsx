import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useArmed } from '../../parts/use-armed.ts';
import { useNow } from '../../parts/use-now.ts';
import { AnswerFault, AnswerMeans, RefuseButtons, ServerSays } from './AnswerParts.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import type { QuestionViewProps } from './QuestionDialog.tsx';
import css from './QuestionDialog.module.css';
import { isOpenGate, standingOf } from './question-standing.ts';
import { urlFacts } from './url-facts.ts';
import { useAnswer } from './use-answer.ts';

/** An address that a server wants opened. The host stands first and whole; opening it is the person's yes, and nothing is fetched by Gantry. */
export const UrlQuestion = ({ question, ...around }: QuestionViewProps<'url'>): ReactElement => {
  const { t } = useTranslation();
  const answering = useAnswer(question.id);
  const standing = standingOf(question);
  const armed = useArmed(`${question.id} ${standing}`);
  const now = useNow(1000);
  const facts = urlFacts(question.url.url);
  const opened = standing === 'opened';
  const open = isOpenGate({ standing, armed, busy: answering.busy, expired: now >= question.expiresAt });
  const link = { component: 'a', href: facts?.href ?? '', target: '_blank', rel: 'noreferrer noopener' } as const;
  const accept = (): void => void answering.send({ action: 'accept' });
  return (
    <DialogFrame
      question={question}
      {...around}
      title={t('questions.title.url')}
      timed
      standing={standing}
      note={facts === null ? t('questions.url.unfit') : null}
      acts={
        <>
          <RefuseButtons answering={answering} open={open} onDone={around.onClose} />
          {opened && facts !== null ? <Button {...link}>{t('questions.url.again')}</Button> : null}
          {opened ? (
            <Button color="accent" variant="outline" disabled={!open} onClick={accept}>{t('questions.act.accept_done')}</Button>
          ) : facts === null || !open ? (
            <Button color="accent" variant="outline" disabled>{t('questions.act.accept_url')}</Button>
          ) : (
            <Button color="accent" variant="outline" {...link} onClick={accept}>{t('questions.act.accept_url')}</Button>
          )}
        </>
      }
    >
      {opened ? (
        <section className={css['section']} role="status">
          <p className={css['effect']}>{t('questions.url.waits')}</p>
          <p className={css['small']}>{t('questions.url.waits_about')}</p>
        </section>
      ) : null}
      <section className={css['section']}>
        <h3>{t('questions.url.leads_to')}</h3>
        <p className={css['host']}><UntrustedText text={facts?.host ?? question.url.host} /></p>
        {facts?.punycode ? <div className={css['warning']} role="note"><p>{t('questions.url.punycode')}</p></div> : null}
        {facts?.loopback ? <p className={css['small']}>{t('questions.url.loopback')}</p> : null}
        <div className={css['address']} tabIndex={0} role="group" aria-label={t('questions.url.whole')}><UntrustedText text={question.url.url} maxLength={2000} /> <CopyButton text={question.url.url} name={t('questions.url.whole')} /></div>
      </section>
      <ServerSays text={question.message} />
      {opened ? null : (
        <section className={css['section']}>
          <p className={css['effect']}>{t('questions.effect.url')}</p>
          <p className={css['small']}>{t('questions.url.about')}</p>
        </section>
      )}
      <AnswerFault fault={answering.fault} />
      <AnswerMeans question={question} words={opened ? 'done' : 'url'} open={open} onDone={around.onClose} />
    </DialogFrame>
  );
};
