import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarketInput } from '../../../shared/market.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { quoted } from '../../parts/command-line.ts';
import { missing, withSplit, type Draft } from './draft.ts';
import classes from './Form.module.css';
import { MarketInputs } from './MarketInputs.tsx';
import { MoreSettings } from './MoreSettings.tsx';
import { splitCommand } from './split-command.ts';

interface ConfigurationFormProps {
  readonly draft: Draft;
  readonly inputs: readonly MarketInput[];
  readonly busy: boolean;
  readonly submitWords: string;
  readonly onChange: (draft: Draft) => void;
  readonly onSubmit: () => void;
  readonly cancelHref: string;
  readonly failure?: ReactNode;
  /** an installed server keeps the package it was installed from */
  readonly fixedSource?: boolean;
}

/** What `missing` names and the form has a label for; a variable or header is called by its own name. */
const FIELD_LABELS: ReadonlySet<string> = new Set(['package', 'command', 'url', 'args']);

/** Name, source, arguments, environment and headers of a server; nothing runs from here. */
export function ConfigurationForm({ draft, inputs, busy, submitWords, onChange, onSubmit, cancelHref, failure, fixedSource = false }: ConfigurationFormProps) {
  const { t, i18n } = useTranslation();
  const [tries, setTries] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const tried = tries > 0;
  const wrong = tried ? missing(draft, inputs) : [];
  const { spec } = draft;
  const split = spec.kind === 'command' ? splitCommand(spec.command) : null;
  const error = (field: string, words: string): string | null => (wrong.includes(field) ? words : null);
  const labelOf = (field: string): string => {
    const asked = inputs.find((input) => input.name === field)?.label;
    return asked ? asked[i18n.language === 'zh' ? 'zh' : 'en'] : FIELD_LABELS.has(field) ? t(`servers.form.${field}`) : field;
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTries(tries + 1);
    if (missing(draft, inputs).length === 0) onSubmit();
  };
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [tries]);
  return (
    <form ref={form} className={classes['form']} onSubmit={submit} noValidate>
      {spec.kind === 'npm' && draft.marketEntryId === null && !fixedSource && (
        <>
          <TextInput label={t('servers.form.package')} description={t('servers.form.packageAbout')} placeholder="@modelcontextprotocol/server-everything" required value={spec.package} error={error('package', t('servers.form.needed'))} onChange={(event) => onChange({ ...draft, spec: { ...spec, package: event.currentTarget.value } })} spellCheck={false} data-autofocus />
          <TextInput label={t('servers.form.version')} description={t('servers.form.versionAbout')} placeholder={t('servers.form.versionLatest')} value={spec.version ?? ''} onChange={(event) => onChange({ ...draft, spec: { ...spec, version: event.currentTarget.value } })} spellCheck={false} />
        </>
      )}
      {spec.kind === 'command' && (
        <>
          <TextInput label={t('servers.form.command')} description={t('servers.form.commandAbout')} placeholder="/usr/local/bin/my-server" required value={spec.command} error={error('command', t('servers.form.needed'))} onChange={(event) => onChange({ ...draft, spec: { ...spec, command: event.currentTarget.value } })} spellCheck={false} data-autofocus />
          {split !== null && (
            <div className={classes['split']} role="status">
              <p>
                {t('servers.form.split.is')} <code><UntrustedText text={split.command} maxLength={120} /></code>, {t('servers.form.split.args', { count: split.args.length })}{' '}
                <code><UntrustedText text={split.args.map(quoted).join(' ')} maxLength={300} /></code>
              </p>
              <Button size="xs" onClick={() => onChange(withSplit(draft, split))}>{t('servers.form.split.do')}</Button>
            </div>
          )}
          <TextInput label={t('servers.form.folder')} description={t('servers.form.folderAbout')} value={spec.cwd ?? ''} onChange={(event) => onChange({ ...draft, spec: { ...spec, cwd: event.currentTarget.value } })} spellCheck={false} />
        </>
      )}
      {spec.kind === 'http' && (
        <TextInput label={t('servers.form.url')} description={t('servers.form.urlAbout')} placeholder="https://example.com/mcp" required inputMode="url" value={spec.url} error={error('url', t('servers.form.urlWrong'))} onChange={(event) => onChange({ ...draft, spec: { ...spec, url: event.currentTarget.value } })} spellCheck={false} data-autofocus />
      )}
      <MarketInputs inputs={inputs} answers={draft.answers} wrong={wrong} onChange={(answers) => onChange({ ...draft, answers })} />
      <TextInput label={t('servers.form.name')} description={t('servers.form.nameAbout')} maxLength={80} value={draft.name} onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })} />
      {draft.marketEntryId === null ? (
        <MoreSettings draft={draft} onChange={onChange} />
      ) : (
        <details className={classes['details']}>
          <summary>{t('servers.form.more')}</summary>
          <div className={classes['form']}>
            <MoreSettings draft={draft} onChange={onChange} />
          </div>
        </details>
      )}
      {tried && wrong.length > 0 && (
        <p role="alert" className="g-awaits">
          {t('servers.form.incomplete', { names: wrong.map(labelOf).join(t('servers.form.comma')) })}
        </p>
      )}
      {failure}
      <div className={classes['foot']}>
        <Button type="submit" variant="filled" loading={busy}>
          {submitWords}
        </Button>
        <Button component="a" href={cancelHref} variant="subtle">
          {t('servers.cancel')}
        </Button>
      </div>
    </form>
  );
}
