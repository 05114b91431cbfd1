import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { escapeHidden } from '../../parts/hidden-characters.ts';
import { OptionsField } from '../../parts/OptionsField.tsx';
import { useWords } from '../../i18n/use-words.ts';
import type { TextArgument } from '../../parts/text-arguments.ts';
import css from './TryOutForm.module.css';
import { useCompletion } from './use-completion.ts';

const MOST_SHOWN = 50;
const LONGEST_WORDS = 600;

interface FieldProps {
  readonly capabilityId: string;
  readonly field: TextArgument;
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
  readonly disabled: boolean;
  readonly error: string | undefined;
}

const Field = ({ capabilityId, field, values, onChange, disabled, error }: FieldProps): ReactElement => {
  const { t } = useWords();
  const { completion, answered, ask } = useCompletion(capabilityId, field.name);
  const value = values[field.name] ?? '';
  const name = escapeHidden(field.name);
  const label = field.title === null || field.title === field.name ? name : `${escapeHidden(field.title).slice(0, 120)} (${name})`;
  const more = completion.hasMore && completion.values.length > 0 ? t('tryout.more_values') : '';
  const description = [field.description === null ? '' : escapeHidden(field.description).slice(0, LONGEST_WORDS), more].filter((words) => words !== '').join(' ');
  // what a field would be filled with has to be seen as it is: a value with characters that are not seen is not suggested
  const options = [...new Set(completion.values)].filter((one) => escapeHidden(one) === one).slice(0, MOST_SHOWN).map((one) => ({ id: one, label: one }));
  const change = (next: string): void => {
    onChange(field.name, next);
    ask(next, values);
  };
  return (
    <OptionsField
      label={label}
      description={description === '' ? undefined : description}
      required={field.required}
      value={value}
      options={options}
      answered={answered}
      disabled={disabled}
      error={error}
      onFocus={() => ask(value, values)}
      onChange={change}
      onTake={change}
    />
  );
};

interface ArgumentFormProps extends Omit<FieldProps, 'field' | 'error'> {
  readonly fields: readonly TextArgument[];
  readonly label: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

/** A text for each field of a template or a prompt, with what its server suggests while one types. */
export const ArgumentForm = ({ fields, label, errors, ...rest }: ArgumentFormProps): ReactElement => {
  const { t } = useTranslation();
  const errorOf = (name: string): string | undefined => errors.find(({ pointer }) => pointer === `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)?.message;
  return (
    <div role="group" aria-label={label} className={css['arguments']}>
      <p className="g-small g-muted">{t('parts.form.server_words')}</p>
      {fields.map((field) => <Field key={field.name} field={field} error={errorOf(field.name)} {...rest} />)}
    </div>
  );
};
