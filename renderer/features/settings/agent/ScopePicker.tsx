import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Scope } from '../../../../shared/agent-profile.ts';
import { escapeHidden } from '../../../parts/hidden-characters.ts';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { useServers } from '../../../stores/servers.ts';
import { useRequest } from '../../../stores/use-request.ts';
import css from './Agent.module.css';

const TIERS = ['read_only', 'low_write', 'high_write'] as const;
const FOUND = 8;

const without = (all: readonly string[], one: string): string[] => all.filter((other) => other !== one);

/** The tools of a scope, found by their words and added one by one. */
const Tools = ({ chosen, onChange }: { readonly chosen: readonly string[]; readonly onChange: (chosen: readonly string[]) => void }): ReactElement => {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const { state } = useRequest('capabilities:rows', { kind: 'tool', words: words.slice(0, 200).toWellFormed(), limit: FOUND + chosen.length });
  const found = state.phase === 'ready' && words.trim() !== '' ? state.value.rows.filter(({ id }) => !chosen.includes(id)).slice(0, FOUND) : [];
  return (
    <div>
      <TextInput type="search" size="xs" label={t('models.scope.find')} value={words} onChange={(event) => setWords(event.currentTarget.value)} />
      <ul className={css['found']}>{found.map(({ id }) => <li key={id}><button type="button" onClick={() => onChange([...chosen, id])} aria-label={t('models.scope.add', { name: escapeHidden(id) })}><UntrustedText text={id} maxLength={90} /></button></li>)}</ul>
      {chosen.length === 0 ? <p className="g-small g-muted">{t('models.scope.none_chosen')}</p> : (
        <ul className={css['chips']} aria-label={t('models.scope.chosen')}>{chosen.map((id) => <li key={id}><UntrustedText text={id} maxLength={80} /><button type="button" aria-label={t('models.scope.drop', { name: escapeHidden(id) })} onClick={() => onChange(without(chosen, id))}>×</button></li>)}</ul>
      )}
    </div>
  );
};

/** More than this are found by their words, and scroll by themselves. */
const FEW_SERVERS = 8;

/** The servers of a scope: those chosen stand first, so that none is chosen unseen. */
const Servers = ({ chosen, onChange }: { readonly chosen: readonly string[]; readonly onChange: (chosen: readonly string[]) => void }): ReactElement => {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  // the order of the moment it was opened: a row does not jump away under the hand that marks it
  const [first] = useState<ReadonlySet<string>>(() => new Set(chosen));
  const servers = useServers((s) => s.servers);
  const all = servers.phase === 'ready' ? servers.value : [];
  const known = [...all.map(({ id, name }) => ({ id, name })), ...chosen.filter((id) => servers.phase === 'ready' && !all.some((one) => one.id === id)).map((id) => ({ id, name: id }))];
  const asked = words.trim().toLocaleLowerCase();
  const shown = known.filter(({ id, name }) => asked === '' || `${name} ${id}`.toLocaleLowerCase().includes(asked)).sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)));
  return (
    <>
      {known.length > FEW_SERVERS ? <TextInput type="search" size="xs" label={t('models.scope.find_server')} value={words} onChange={(event) => setWords(event.currentTarget.value)} /> : null}
      <p className="g-small g-muted" role="status">{chosen.length === 0 ? t('models.scope.no_server_chosen') : t('models.scope.servers_chosen', { count: chosen.length, total: known.length })}</p>
      {shown.length === 0 ? <p className="g-small g-muted">{t('models.scope.no_server_fits')}</p> : (
        <div className={css['servers']} role="group" aria-label={t('models.scope.only_servers')} {...(shown.length > FEW_SERVERS ? { tabIndex: 0 } : {})}>
          {shown.map(({ id, name }) => <Checkbox key={id} size="xs" label={escapeHidden(name)} checked={chosen.includes(id)} onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, id] : without(chosen, id))} />)}
        </div>
      )}
    </>
  );
};

/** What a profile may use of what it is granted: it only narrows. */
export const ScopePicker = ({ scope, onChange }: { readonly scope: Scope; readonly onChange: (scope: Scope) => void }): ReactElement => {
  const { t } = useTranslation();
  return (
    <fieldset className={css['scope']}>
      <legend>{t('models.scope.title')}</legend>
      <p className="g-small g-muted">{t('models.scope.about')}</p>
      <NativeSelect size="xs" label={t('models.scope.top_tier')} value={scope.topTier ?? ''} onChange={(event) => onChange({ ...scope, topTier: TIERS.find((tier) => tier === event.currentTarget.value) ?? null })} data={[{ value: '', label: t('models.scope.any_tier') }, ...TIERS.map((tier) => ({ value: tier, label: t(`parts.tier.${tier}`) }))]} />
      <Checkbox size="xs" label={t('models.scope.only_servers')} checked={scope.servers !== null} onChange={(event) => onChange({ ...scope, servers: event.currentTarget.checked ? [] : null })} />
      {scope.servers === null ? null : (
        <div className={css['inner']}><Servers chosen={scope.servers} onChange={(chosen) => onChange({ ...scope, servers: [...chosen] })} /></div>
      )}
      <Checkbox size="xs" label={t('models.scope.only_tools')} checked={scope.capabilities !== null} onChange={(event) => onChange({ ...scope, capabilities: event.currentTarget.checked ? [] : null })} />
      {scope.capabilities === null ? null : <div className={css['inner']}><Tools chosen={scope.capabilities} onChange={(capabilities) => onChange({ ...scope, capabilities: [...capabilities] })} /></div>}
    </fieldset>
  );
};
