import { Checkbox, NativeSelect, Radio, TextInput, Textarea } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { QuestionField } from '../../../shared/question.ts';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useLanguage } from '../../parts/use-language.ts';
import { isSuggested } from './form-draft.ts';
import type { Entry, FieldFault } from './form-draft.ts';
import css from './QuestionDialog.module.css';

export interface FormFieldProps {
  readonly field: QuestionField;
  readonly entry: Entry;
  /** shown once the person has been there, or has tried to send */
  readonly fault: FieldFault | null;
  /** the host's own sentence, for what only it judges */
  readonly refused: string | null;
  readonly disabled: boolean;
  readonly onEntry: (entry: Entry) => void;
  readonly onLeft: () => void;
}

/** As many are shown at once; more are a list to choose from. */
const FEW_CHOICES = 6;
/** A text that may be longer than this gets several lines. */
const LONG_TEXT = 200;
const HINTED = new Set(['date', 'date-time', 'email', 'uri']);

const useFaultWords = (): ((fault: FieldFault | null) => string | null) => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (fault) => (fault === null ? null : t(`questions.fault.${fault.why}`, 'limit' in fault ? { count: fault.limit, limit: new Intl.NumberFormat(language).format(fault.limit) } : {}));
};

/** Bounds and formats in our words, beside what the server says of the field. */
const useHints = (field: QuestionField): string => {
  const { t } = useTranslation();
  const hints: string[] = [];
  if (field.type === 'string') {
    if (field.format !== undefined && HINTED.has(field.format)) hints.push(t(`questions.hint.${field.format.replace('-', '_')}`));
    if (field.minLength !== undefined && field.minLength > 1) hints.push(t('questions.hint.min_length', { count: field.minLength }));
    if (field.maxLength !== undefined) hints.push(t('questions.hint.max_length', { count: field.maxLength }));
  }
  if (field.type === 'number' || field.type === 'integer') {
    if (field.type === 'integer') hints.push(t('questions.hint.integer'));
    if (field.minimum !== undefined && field.maximum !== undefined) hints.push(t('questions.hint.between', { min: field.minimum, max: field.maximum }));
    else if (field.minimum !== undefined) hints.push(t('questions.hint.min', { min: field.minimum }));
    else if (field.maximum !== undefined) hints.push(t('questions.hint.max', { max: field.maximum }));
  }
  if (field.type === 'choices') {
    if (field.minItems !== undefined && field.minItems > 0) hints.push(t('questions.hint.min_items', { count: field.minItems }));
    if (field.maxItems !== undefined) hints.push(t('questions.hint.max_items', { count: field.maxItems }));
  }
  return hints.join(t('questions.hint.and'));
};

/** One field of a server's form: its words, our words on what fits, what the server suggests, what is wrong with it. */
export const FormField = ({ field, entry, fault, refused, disabled, onEntry, onLeft }: FormFieldProps): ReactElement => {
  const { t } = useTranslation();
  const faultWords = useFaultWords();
  const hints = useHints(field);
  const error = faultWords(fault) ?? (refused === null ? null : <>{t('questions.fault.host')} <span className="g-fine" lang="en"><UntrustedText text={refused} maxLength={300} /></span></>);
  const titled = field.title !== undefined && field.title !== '' && field.title !== field.name;
  const label = (
    <>
      <UntrustedText text={titled ? field.title! : field.name} maxLength={120} />
      {titled ? <> <code className={css['name']}><UntrustedText text={field.name} maxLength={80} /></code></> : null}
      {field.required ? <> <span className={css['required']}>{t('questions.required')}</span></> : null}
    </>
  );
  const description: ReactNode = field.description === undefined && hints === '' ? undefined : (
    <>
      {field.description === undefined ? null : <UntrustedText text={field.description} maxLength={400} />}
      {hints === '' ? null : <span className={css['hint']}>{hints}</span>}
    </>
  );
  const shared = { label, description, error, disabled, onBlur: onLeft, 'data-field': field.name } as const;
  return (
    <div className={css['field']}>
      <Control field={field} entry={entry} shared={shared} onEntry={onEntry} />
      {isSuggested(field, entry) ? <span className={css['suggested']}>{t('questions.suggested')}</span> : null}
      {field.type !== 'string' || field.pattern === undefined ? null : <p className={css['small']}>{t('questions.hint.pattern')}<code className="g-mono"><UntrustedText text={field.pattern} maxLength={120} /></code></p>}
      {field.secretLike ? <div className={css['warning']}><p>{t('questions.secret_field')}</p></div> : null}
    </div>
  );
};

interface ControlProps {
  readonly field: QuestionField;
  readonly entry: Entry;
  readonly shared: { readonly label: ReactNode; readonly description: ReactNode; readonly error: ReactNode; readonly disabled: boolean; readonly onBlur: () => void; readonly 'data-field': string };
  readonly onEntry: (entry: Entry) => void;
}

const Control = ({ field, entry, shared, onEntry }: ControlProps): ReactElement => {
  const { t } = useTranslation();
  const text = typeof entry === 'string' ? entry : '';
  switch (field.type) {
    case 'boolean':
      return (
        <Radio.Group {...shared} value={entry === true ? 'yes' : entry === false ? 'no' : 'none'} onChange={(value) => onEntry(value === 'none' ? null : value === 'yes')}>
          <div className={css['options']}>
            <Radio value="yes" disabled={shared.disabled} label={t('questions.yes')} />
            <Radio value="no" disabled={shared.disabled} label={t('questions.no')} />
            {field.required ? null : <Radio value="none" disabled={shared.disabled} label={t('questions.no_answer')} />}
          </div>
        </Radio.Group>
      );
    case 'choice':
      return field.choices.length <= FEW_CHOICES ? (
        <Radio.Group {...shared} value={text} onChange={(value) => onEntry(value === '' ? null : value)}>
          <div className={css['options']}>
            {field.choices.map(({ value, title }) => <Radio key={value} value={value} disabled={shared.disabled} label={<UntrustedText text={title} maxLength={120} />} />)}
            {field.required ? null : <Radio value="" disabled={shared.disabled} label={t('questions.no_answer')} />}
          </div>
        </Radio.Group>
      ) : (
        <NativeSelect {...shared} value={text} onChange={(event) => onEntry(event.currentTarget.value === '' ? null : event.currentTarget.value)} data={[{ value: '', label: t(field.required ? 'questions.choose' : 'questions.no_answer') }, ...field.choices.map(({ value, title }) => ({ value, label: escapeHidden(title).slice(0, 120) }))]} />
      );
    case 'choices':
      return (
        <Checkbox.Group {...shared} value={Array.isArray(entry) ? [...(entry as readonly string[])] : []} onChange={(value) => onEntry(value)}>
          <div className={css['options']}>{field.choices.map(({ value, title }) => <Checkbox key={value} value={value} disabled={shared.disabled} label={<UntrustedText text={title} maxLength={120} />} />)}</div>
        </Checkbox.Group>
      );
    case 'number':
    case 'integer':
      return <TextInput {...shared} inputMode={field.type === 'integer' ? 'numeric' : 'decimal'} autoComplete="off" value={text} onChange={(event) => onEntry(event.currentTarget.value)} />;
    case 'string':
      return field.format === undefined && ((field.maxLength ?? 0) > LONG_TEXT || text.includes('\n')) ? (
        <Textarea {...shared} autosize minRows={2} maxRows={10} autoComplete="off" value={text} onChange={(event) => onEntry(event.currentTarget.value)} />
      ) : (
        <TextInput {...shared} autoComplete="off" spellCheck={false} value={text} onChange={(event) => onEntry(event.currentTarget.value)} />
      );
  }
};
