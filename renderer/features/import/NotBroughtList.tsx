import { useTranslation } from 'react-i18next';
import type { NotBrought } from '../../../shared/import.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './Import.module.css';

/** What stays where it is, with why. */
export function NotBroughtList({ fields, title }: { readonly fields: readonly NotBrought[]; readonly title: string }) {
  const { t } = useTranslation();
  return (
    <details className={classes['quiet']}>
      <summary>{title}</summary>
      <ul>
        {fields.map((one) => (
          <li key={`${one.field} ${one.reason} ${one.shown}`}>
            <code><UntrustedText text={one.field} maxLength={160} /></code> {one.shown !== '' && <code><UntrustedText text={one.shown} maxLength={300} /></code>} {t(`import.reason.${one.reason}`)}
          </li>
        ))}
      </ul>
    </details>
  );
}
