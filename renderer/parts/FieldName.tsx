import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { UntrustedText } from './UntrustedText.tsx';

/** A field of a definition in words; inside a schema its place is said by JSON Pointer. */
export const FieldName = ({ field }: { readonly field: string }): ReactElement => {
  const { t, i18n } = useTranslation();
  const [base = '', pointer = ''] = field.split('#', 2);
  const key = `parts.field.${base}`;
  return <>{i18n.exists(key) ? t(key) : <UntrustedText text={base} />}{pointer === '' ? null : <> <code className="g-mono"><UntrustedText text={pointer} maxLength={200} /></code></>}</>;
};
