import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldChange } from '../../../shared/capability.ts';
import { DiffView } from '../../parts/DiffView.tsx';
import { FieldName } from '../../parts/FieldName.tsx';
import css from './Capabilities.module.css';

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
