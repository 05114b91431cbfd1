import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useArmed } from '../../parts/use-armed.ts';
import { useNow } from '../../parts/use-now.ts';
import { AnswerFault, AnswerMeans, RefuseButtons } from './AnswerParts.tsx';
import { Blocks } from './Blocks.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import type { QuestionViewProps } from './QuestionDialog.tsx';
import css from './QuestionDialog.module.css';
import { isOpenGate, standingOf } from './question-standing.ts';
import { SamplingFacts } from './SamplingFacts.tsx';
import { useAnswer } from './use-answer.ts';

type Block = Readonly<Record<string, unknown>>;
const isText = (block: Block): block is Block & { readonly text: string } => block['type'] === 'text' && typeof block['text'] === 'string';

/** What the model wrote, before the server gets it: sent as it is, with its text changed, or not at all. */
export const ReviewReply = ({ question, ...around }: QuestionViewProps<'sampling'>): ReactElement => {
  const { t } = useTranslation();
  const answering = useAnswer(question.id);
  const standing = standingOf(question);
  const armed = useArmed(`${question.id} ${standing}`);
  const now = useNow(1000);
  const reply = question.sampling.reply;
  const [editing, setEditing] = useState(false);
  const [edited, setEdited] = useState<readonly Block[] | null>(null);
  const open = isOpenGate({ standing, armed, busy: answering.busy, expired: now >= question.expiresAt });
  const content = edited ?? reply?.content ?? [];
  const changed = edited !== null && JSON.stringify(edited) !== JSON.stringify(reply?.content ?? []);
  const write = (at: number, text: string): void => setEdited(content.map((block, place) => (place === at ? { type: 'text', text } : block)));
  const send = async (): Promise<void> => {
    if (await answering.send({ action: 'accept', ...(changed ? { editedReply: { content: content.map((block) => ({ ...block })) } } : {}) })) around.onClose();
  };
  return (
    <DialogFrame
      question={question}
      {...around}
      title={t('questions.title.review')}
      timed
      acts={
        <>
          <RefuseButtons answering={answering} open={open} withhold onDone={around.onClose} />
          {content.some(isText) && !editing ? <Button disabled={!open} onClick={() => setEditing(true)}>{t('questions.sampling.edit')}</Button> : null}
          <Button color="accent" variant="outline" disabled={!open} onClick={() => void send()}>{t(changed ? 'questions.sampling.send_edited' : 'questions.act.accept_review')}</Button>
        </>
      }
    >
      <section className={css['section']}>
        <p className={css['effect']}>{t('questions.effect.review')}</p>
        <p className={css['small']}>{t('questions.sampling.by_model')}<code className="g-mono"><UntrustedText text={reply?.model ?? ''} maxLength={120} /></code>{reply?.stopReason === 'maxTokens' ? ` · ${t('questions.sampling.cut')}` : ''}</p>
      </section>
      <section className={css['section']}>
        <h3>{t(changed ? 'questions.sampling.reply_edited' : 'questions.sampling.reply')}</h3>
        {editing ? <div className={css['blocks']}>{content.map((block, at) =>
              isText(block) ? (
                <Textarea key={at} aria-label={t('questions.sampling.reply_text', { place: at + 1 })} data-autofocus autosize minRows={4} maxRows={16} disabled={answering.busy} value={block.text} onChange={(event) => write(at, event.currentTarget.value)} />
              ) : (
                <Blocks key={at} content={[block]} label={t('questions.sampling.reply')} />
              ),
            )}</div>
          : <Blocks content={content} label={t('questions.sampling.reply')} />}
        {changed ? <Button size="xs" mt={8} onClick={() => { setEdited(null); setEditing(false); }}>{t('questions.sampling.as_written')}</Button> : null}
        {content.some((block) => block['type'] === 'tool_use') ? <p className={css['small']}>{t('questions.sampling.tool_use')}</p> : null}
      </section>
      <AnswerFault fault={answering.fault} />
      <AnswerMeans question={question} words="review" open={open} onDone={around.onClose} />
      <section className={css['section']}>
        <details>
          <summary className={css['small']}>{t('questions.sampling.what_was_asked')}</summary>
          <SamplingFacts sampling={question.sampling} />
        </details>
      </section>
    </DialogFrame>
  );
};
