import '../theme/mantine-form-styles.ts';
import { withTheme } from '@rjsf/core';
import { Theme } from '@rjsf/mantine';
import { TranslatableString, englishStringTranslator } from '@rjsf/utils';
import type { ErrorSchema, RJSFSchema } from '@rjsf/utils';
import { useId, useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { errorTree, formSchema, formUi } from './form-schema.ts';
import type { FieldError } from './form-schema.ts';
import { hostJudges } from './host-judges-validator.ts';
import css from './SchemaForm.module.css';

const ThemedForm = withTheme<unknown, RJSFSchema, object>(Theme);

export interface SchemaFormProps {
  /** an input schema for which schemaFit says that it fits */
  readonly schema: unknown;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors?: readonly FieldError[];
  readonly disabled?: boolean;
  readonly label: string;
}

const WORDS: Readonly<Partial<Record<TranslatableString, string>>> = {
  [TranslatableString.AddButton]: 'parts.form.add',
  [TranslatableString.AddItemButton]: 'parts.form.add',
  [TranslatableString.RemoveButton]: 'parts.form.remove',
  [TranslatableString.MoveUpButton]: 'parts.form.up',
  [TranslatableString.MoveDownButton]: 'parts.form.down',
  [TranslatableString.CopyButton]: 'parts.form.copy',
  [TranslatableString.ClearButton]: 'parts.form.clear',
  [TranslatableString.YesLabel]: 'parts.form.yes',
  [TranslatableString.NoLabel]: 'parts.form.no',
  [TranslatableString.EmptyArray]: 'parts.form.none_yet',
};

/** Fields made from an input schema; they shape the input and judge nothing. Names and explanations are the server's words. */
export const SchemaForm = ({ schema, value, onChange, errors = [], disabled = false, label }: SchemaFormProps): ReactElement => {
  const { t } = useTranslation();
  const id = useId().replaceAll(':', '');
  const shown = useMemo(() => formSchema(schema), [schema]);
  const ui = useMemo(() => ({ ...formUi(schema), 'ui:submitButtonOptions': { norender: true } }), [schema]);
  const tree = useMemo(() => errorTree(errors) as ErrorSchema<unknown>, [errors]);
  return (
    <div className={css['form']} role="group" aria-label={label}>
      <p className={css['note']}>{t('parts.form.server_words')}</p>
      <ThemedForm
        tagName="div"
        idPrefix={`form${id}`}
        schema={shown}
        uiSchema={ui}
        formData={value}
        validator={hostJudges}
        noHtml5Validate
        noValidate
        showErrorList={false}
        extraErrors={tree}
        disabled={disabled}
        experimental_defaultFormStateBehavior={{ emptyObjectFields: 'populateRequiredDefaults', arrayMinItems: { populate: 'never' } }}
        translateString={(key, params) => {
          const word = WORDS[key];
          return word === undefined ? englishStringTranslator(key, params) : t(word);
        }}
        onChange={(event) => onChange(event.formData)}
      />
    </div>
  );
};
