import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonView } from '../../parts/JsonView.tsx';
import { useArmed } from '../../parts/use-armed.ts';
import { useNow } from '../../parts/use-now.ts';
import { AnswerFault, AnswerMeans, RefuseButtons, ServerSays } from './AnswerParts.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { answerOf, entryOf, firstDraft, givenContent, withEntry, type Entry } from './form-draft.ts';
import { FormField } from './FormField.tsx';
import type { QuestionViewProps } from './QuestionDialog.tsx';
import css from './QuestionDialog.module.css';
import { isOpenGate } from './question-standing.ts';
import { useAnswer } from './use-answer.ts';

/** Which field the host's refusal is about: a JSON Pointer into the content, whatever stands before it. */
const placeOf = (field: string | undefined, names: readonly string[]): string | null => {
  const last = (field ?? '').split('/').filter((part) => part !== '' && part !== 'content').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))[0];
  return last !== undefined && names.includes(last) ? last : null;
};

/** A form that a server asks to be filled in: its fields, then exactly what will be sent. */
export const FormQuestion = ({ question, ...around }: QuestionViewProps<'form'>): ReactElement => {
  const { t } = useTranslation();
  const { fields } = question.form;
  const answering = useAnswer(question.id);
  const armed = useArmed(question.id);
  const now = useNow(1000);
  const [draft, setDraft] = useState(() => firstDraft(fields));
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const open = isOpenGate({ standing: 'asks', armed, busy: answering.busy, expired: now >= question.expiresAt });
  const { content, faults } = answerOf(fields, draft);
  const refusedAt = placeOf(answering.fault?.field, fields.map(({ name }) => name));
  const secret = fields.some(({ secretLike }) => secretLike);

  const change = (name: string, entry: Entry): void => setDraft((before) => withEntry(before, name, entry));
  const send = async (): Promise<void> => {
    if (!open) return;
    const wrong = fields.find(({ name }) => faults.has(name));
    if (wrong !== undefined) {
      setTried(true);
      const control = [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find((one) => one.dataset['field'] === wrong.name);
      (control?.matches('input, select, textarea') ? control : (control?.querySelector<HTMLElement>('input, select, textarea') ?? null))?.focus();
      return;
    }
    if (await answering.send({ action: 'accept', content: { ...givenContent(fields, content) } })) around.onClose();
  };
  return (
    <DialogFrame
      question={question}
      {...around}
      title={t('questions.title.form')}
      timed
      note={tried && faults.size > 0 ? t('questions.faults', { count: faults.size }) : null}
      acts={
        <>
          <RefuseButtons answering={answering} open={open} onDone={around.onClose} />
          <Button color="accent" variant="outline" disabled={!open} onClick={() => void send()}>{t('questions.act.accept_form')}</Button>
        </>
      }
    >
      <section className={css['section']}>
        <p className={css['effect']}>{t('questions.effect.form')}</p>
        {secret ? <div className={css['warning']} role="note"><p>{t('questions.secret')}</p></div> : null}
      </section>
      <ServerSays text={question.message} />
      <section className={css['section']} aria-label={t('questions.form')}>
        <h3>{t('questions.form_words')}</h3>
        {fields.length === 0 ? <p className={css['small']}>{t('questions.no_fields')}</p> : null}
        <div ref={form} className={css['fields']}>
          {fields.map((field) => (
            <FormField
              key={field.name}
              field={field}
              entry={entryOf(draft, field.name)}
              fault={tried || seen.has(field.name) ? (faults.get(field.name) ?? null) : null}
              refused={refusedAt === field.name ? (answering.fault?.message ?? null) : null}
              disabled={answering.busy}
              onEntry={(entry) => change(field.name, entry)}
              onLeft={() => setSeen((before) => (before.has(field.name) ? before : new Set([...before, field.name])))}
            />
          ))}
        </div>
      </section>
      <section className={css['section']}>
        <h3>{t('questions.sent')}</h3>
        <JsonView text={JSON.stringify(content)} label={t('questions.sent')} whole maxHeight={220} copy={false} />
        <p className={css['small']}>{t(secret ? 'questions.kept_but_secrets' : 'questions.kept')}</p>
      </section>
      <AnswerFault fault={refusedAt === null ? answering.fault : null} />
      <AnswerMeans question={question} words="form" open={open} onDone={around.onClose} />
    </DialogFrame>
  );
};
