import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldChange } from '../../../shared/capability.ts';
import { DiffView } from '../../parts/DiffView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './Capabilities.module.css';

/** A field of a definition in words; inside a schema its place is said by JSON Pointer. */
export const FieldName = ({ field }: { readonly field: string }): ReactElement => {
  const { t, i18n } = useTranslation();
  const [base = '', pointer = ''] = field.split('#', 2);
  const key = `capabilities.field.${base}`;
  return <>{i18n.exists(key) ? t(key) : <UntrustedText text={base} />}{pointer === '' ? null : <> <code className="g-mono"><UntrustedText text={pointer} maxLength={200} /></code></>}</>;
};

/** What differs from the definition that was reviewed last, field by field, word by word. */
export const Changes = ({ changes }: { readonly changes: readonly FieldChange[] }): ReactElement => {
  const { t } = useTranslation();
  return (
    <section aria-label={t('capabilities.changes')}>
      <h2 className="g-heading">{t('capabilities.changes')}</h2>
      <dl className={css['changes']}>
        {changes.map((change, i) => (
          <div key={`${change.field}-${i}`}>
            <dt><FieldName field={change.field} /></dt>
            <dd><DiffView before={change.before} after={change.after} /></dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
