import { Checkbox, NativeSelect, Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SERVER_LOG_LEVELS } from '../../../shared/log-level.ts';
import { ArgumentFields } from './ArgumentFields.tsx';
import type { Draft } from './draft.ts';
import { ValueRows } from './ValueRows.tsx';

/** Arguments, environment or headers, home folder, required, how errors are told, what is wanted of its log: what a person may set of any server. */
export function MoreSettings({ draft, onChange }: { readonly draft: Draft; readonly onChange: (draft: Draft) => void }) {
  const { t } = useTranslation();
  const { spec } = draft;
  return (
    <>
      {spec.kind !== 'http' && (spec.kind !== 'builtin' || draft.argsText !== '' || draft.argRows !== null) && <ArgumentFields draft={draft} onChange={(args) => onChange({ ...draft, ...args })} />}
      {spec.kind !== 'http' && spec.kind !== 'builtin' && <ValueRows kind="env" rows={draft.env} onChange={(env) => onChange({ ...draft, env })} />}
      {spec.kind === 'http' && <ValueRows kind="headers" rows={draft.headers} onChange={(headers) => onChange({ ...draft, headers })} />}
      {spec.kind !== 'http' && (
        <Radio.Group label={t('servers.form.home')} description={t('servers.form.homeAbout')} value={draft.home} onChange={(home) => onChange({ ...draft, home: home === 'user' ? 'user' : 'own' })}>
          <Radio value="own" label={t('servers.form.homeOwn')} mt={8} />
          <Radio value="user" label={t('servers.form.homeUser')} mt={8} />
        </Radio.Group>
      )}
      <Checkbox label={t('servers.form.required')} description={t('servers.form.requiredAbout')} checked={draft.required} onChange={(event) => onChange({ ...draft, required: event.currentTarget.checked })} />
      <Checkbox label={t('servers.form.categoryOnly')} description={t('servers.form.categoryOnlyAbout')} checked={draft.errorWords === 'category'} onChange={(event) => onChange({ ...draft, errorWords: event.currentTarget.checked ? 'category' : 'words' })} />
      <NativeSelect label={t('servers.form.logLevel')} description={t('servers.form.logLevelAbout')} maw={360} value={draft.logLevel} onChange={(event) => onChange({ ...draft, logLevel: SERVER_LOG_LEVELS.find((level) => level === event.currentTarget.value) ?? 'default' })} data={SERVER_LOG_LEVELS.map((value) => ({ value, label: t(`servers.form.logLevels.${value}`) }))} />
    </>
  );
}
