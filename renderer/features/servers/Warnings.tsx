import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './ConsentScreen.module.css';

/** What deserves a second look before agreeing: in our words where the code is known, the detail beside it. */
export function Warnings({ warnings }: { readonly warnings: readonly { readonly code: string; readonly detail: string }[] }) {
  const { t, i18n } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <ul className={classes['warnings']} aria-label={t('servers.warning.title')}>
      {warnings.map(({ code, detail }) => {
        const key = `servers.warning.${code}`;
        return (
          <li key={`${code} ${detail}`}>
            <strong>{i18n.exists(key) ? t(key) : i18n.exists(`code.${code}.sentence`) ? t(`code.${code}.sentence`) : code}</strong> <UntrustedText text={detail} maxLength={400} />
          </li>
        );
      })}
    </ul>
  );
}
