import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { newValue, type DraftValue } from './draft.ts';
import classes from './Form.module.css';

interface ValueRowsProps {
  readonly kind: 'env' | 'headers';
  readonly rows: readonly DraftValue[];
  readonly onChange: (rows: readonly DraftValue[]) => void;
}

/** Names and values, each plain or secret. A stored secret is never shown: it is replaced or removed. */
export function ValueRows({ kind, rows, onChange }: ValueRowsProps) {
  const { t } = useTranslation();
  const change = (key: number, part: Partial<DraftValue>): void => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <fieldset className={classes['rows']}>
      <legend>{t(`servers.form.${kind}.title`)}</legend>
      <p className="g-small g-muted">{t(`servers.form.${kind}.about`)}</p>
      {rows.map((row, at) => {
        const which = row.name === '' ? t('servers.form.rowNumber', { number: at + 1 }) : row.name;
        return (
          <div key={row.key} className={classes['row']}>
            <TextInput value={row.name} onChange={(event) => change(row.key, { name: event.currentTarget.value })} aria-label={t('servers.form.nameOf', { which })} placeholder={kind === 'env' ? 'API_URL' : 'X-Team'} readOnly={row.stored} spellCheck={false} />
            {row.stored ? (
              <div className={classes['stored']}>
                <span>{t('servers.form.stored')}</span>
                <Button onClick={() => change(row.key, { stored: false, value: '' })}>{t('servers.form.replace')}</Button>
              </div>
            ) : row.secret ? (
              <PasswordInput value={row.value} onChange={(event) => change(row.key, { value: event.currentTarget.value })} aria-label={t('servers.form.valueOf', { which })} autoComplete="off" spellCheck={false} />
            ) : (
              <TextInput value={row.value} onChange={(event) => change(row.key, { value: event.currentTarget.value })} aria-label={t('servers.form.valueOf', { which })} spellCheck={false} />
            )}
            <Checkbox checked={row.secret} disabled={row.stored} onChange={(event) => change(row.key, { secret: event.currentTarget.checked })} label={t('servers.form.secret')} aria-label={t('servers.form.secretOf', { which })} />
            <Button variant="subtle" onClick={() => onChange(rows.filter((other) => other.key !== row.key))} aria-label={t('servers.form.removeOf', { which })}>
              {t('servers.form.remove')}
            </Button>
          </div>
        );
      })}
      <div className={classes['more']}>
        <Button onClick={() => onChange([...rows, newValue(false)])}>{t(`servers.form.${kind}.add`)}</Button>
        <Button onClick={() => onChange([...rows, newValue(true)])}>{t(`servers.form.${kind}.addSecret`)}</Button>
      </div>
    </fieldset>
  );
}
