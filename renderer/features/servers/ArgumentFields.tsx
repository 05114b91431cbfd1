import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { asRows, newArgument, type DraftArgument, type DraftArguments } from './draft-args.ts';
import classes from './Form.module.css';

interface ArgumentFieldsProps {
  readonly draft: DraftArguments;
  readonly onChange: (draft: DraftArguments) => void;
}

/** Arguments as lines of a text; once one of them is secret, a field for each. A sealed one is never shown: it is replaced or removed. */
export function ArgumentFields({ draft, onChange }: ArgumentFieldsProps) {
  const { t } = useTranslation();
  const add = (secret: boolean): void => onChange({ ...draft, argRows: [...asRows(draft), newArgument('', secret)] });
  if (draft.argRows === null) {
    return (
      <div>
        <Textarea label={t('servers.form.args')} description={t('servers.form.argsAbout')} autosize minRows={2} maxRows={10} value={draft.argsText} onChange={(event) => onChange({ ...draft, argsText: event.currentTarget.value })} spellCheck={false} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }} />
        <div className={classes['more']} style={{ marginTop: 8 }}>
          <Button onClick={() => add(true)}>{t('servers.form.argsAddSecret')}</Button>
        </div>
      </div>
    );
  }
  const rows = draft.argRows;
  const set = (next: readonly DraftArgument[]): void => onChange({ ...draft, argRows: next });
  return (
    <fieldset className={classes['rows']}>
      <legend>{t('servers.form.args')}</legend>
      <p className="g-small g-muted">{t('servers.form.argsRowsAbout')}</p>
      {rows.map((row, at) => (
        <ArgumentRow key={row.key} row={row} number={at + 1} onChange={(next) => set(rows.map((other) => (other.key === row.key ? next : other)))} onRemove={() => set(rows.filter((other) => other.key !== row.key))} />
      ))}
      <div className={classes['more']}>
        <Button onClick={() => add(false)}>{t('servers.form.argsAdd')}</Button>
        <Button onClick={() => add(true)}>{t('servers.form.argsAddSecret')}</Button>
      </div>
    </fieldset>
  );
}

function ArgumentRow({ row, number, onChange, onRemove }: { readonly row: DraftArgument; readonly number: number; readonly onChange: (row: DraftArgument) => void; readonly onRemove: () => void }) {
  const { t } = useTranslation();
  const label = t('servers.form.argNumber', { number });
  const write = (value: string): void => onChange({ ...row, value });
  return (
    <div className={`${classes['row']} ${classes['argument']}`}>
      <span className="g-muted g-small">{label}</span>
      {row.kept !== null ? (
        <div className={classes['stored']}>
          <span>{t('servers.form.stored')}</span>
          <Button onClick={() => onChange({ ...row, kept: null })}>{t('servers.form.replace')}</Button>
        </div>
      ) : row.secret ? (
        <PasswordInput value={row.value} onChange={(event) => write(event.currentTarget.value)} aria-label={label} description={t('servers.form.secretInArguments')} autoComplete="off" spellCheck={false} />
      ) : (
        <TextInput value={row.value} onChange={(event) => write(event.currentTarget.value)} aria-label={label} spellCheck={false} />
      )}
      <Button variant="subtle" onClick={onRemove} aria-label={t('servers.form.removeOf', { which: label })}>
        {t('servers.form.remove')}
      </Button>
    </div>
  );
}
