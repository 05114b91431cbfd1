import { Button, Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { AgentProfile, Scope } from '../../../../shared/agent-profile.ts';
import type { Fault } from '../../../../shared/fault.ts';
import type { Model } from '../../../../shared/model.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { act } from '../../../stores/act.ts';
import { useRequest } from '../../../stores/use-request.ts';
import css from './Agent.module.css';
import { ScopePicker } from './ScopePicker.tsx';
import { useFormFocus } from './use-form-focus.ts';

const ALL: Scope = { servers: null, capabilities: null, topTier: null };
const NEW: Pick<AgentProfile, 'name' | 'modelId' | 'instructions' | 'scope' | 'limits'> = { name: '', modelId: null, instructions: '', scope: null, limits: { steps: null, tokens: null, money: null } };
const BUILT_IN = 'agent:default';
const LIMITS = ['steps', 'tokens', 'money'] as const;

const Form = ({ profile, models, onDone }: { readonly profile: AgentProfile | null; readonly models: readonly Model[]; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(profile ?? NEW);
  const [like, setLike] = useState(profile === null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const scope = draft.scope ?? ALL;
  const save = async (): Promise<void> => {
    setBusy(true);
    const { name, modelId, instructions, limits } = draft;
    const isAll = scope.servers === null && scope.capabilities === null && scope.topTier === null;
    const answer = await bridge.request('profiles:set', { ...(profile === null ? {} : { id: profile.id }), name: name.trim(), modelId, instructions, scope: isAll ? null : scope, limits, ...(profile === null && like ? { accessLike: BUILT_IN } : {}) });
    setBusy(false);
    if (answer.ok) onDone();
    else setFault(answer.error);
  };
  const nameless = draft.name.trim() === '' && profile?.id !== 'default';
  return (
    <form className={css['form']} aria-label={t(profile === null ? 'models.profile.add' : 'models.profile.edit')} onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <div className={css['fields']}>
        <TextInput size="xs" label={t('models.profile.name')} maxLength={100} value={draft.name} onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })} />
        <NativeSelect size="xs" label={t('models.profile.model')} value={draft.modelId ?? ''} onChange={(event) => setDraft({ ...draft, modelId: event.currentTarget.value === '' ? null : event.currentTarget.value })} data={[{ value: '', label: t('models.profile.model_in_use') }, ...models.map(({ id, label }) => ({ value: id, label }))]} />
      </div>
      <Textarea size="xs" label={t('models.profile.instructions')} description={t('models.profile.instructions_why')} autosize minRows={3} maxRows={12} maxLength={20_000} value={draft.instructions} onChange={(event) => setDraft({ ...draft, instructions: event.currentTarget.value })} />
      <ScopePicker scope={scope} onChange={(next) => setDraft({ ...draft, scope: next })} />
      <div className={css['fields']}>
        {LIMITS.map((limit) => <NumberInput key={limit} size="xs" hideControls allowNegative={false} decimalScale={limit === 'money' ? 4 : 0} label={t(`models.profile.limit.${limit}`)} placeholder={t('models.profile.no_limit')} value={draft.limits[limit] ?? ''} onChange={(value) => setDraft({ ...draft, limits: { ...draft.limits, [limit]: typeof value === 'number' ? value : null } })} />)}
      </div>
      {profile === null ? <Checkbox size="xs" label={t('models.profile.access_like')} checked={like} onChange={(event) => setLike(event.currentTarget.checked)} /> : null}
      <div className={css['acts']}>
        <Button type="submit" variant="filled" loading={busy} disabled={nameless}>{t('models.save')}</Button>
        <Button onClick={onDone}>{t('models.cancel')}</Button>
        {nameless ? <span className="g-small g-muted">{t('models.profile.name_first')}</span> : null}
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </form>
  );
};

/** What a profile may use at most, in words. */
const narrowedTo = ({ topTier, servers, capabilities }: Scope, t: TFunction): string =>
  [
    ...(topTier === null ? [] : [t('models.profile.narrow.tier', { tier: t(`parts.tier.${topTier}`) })]),
    ...(servers === null ? [] : [t('models.profile.narrow.servers', { count: servers.length })]),
    ...(capabilities === null ? [] : [t('models.profile.narrow.capabilities', { count: capabilities.length })]),
  ].join(t('agent.comma'));

const Row = ({ profile, models, onEdit }: { readonly profile: AgentProfile; readonly models: readonly Model[]; readonly onEdit: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const name = profile.name === '' ? t('agent.default_profile') : profile.name;
  const model = models.find(({ id }) => id === profile.modelId)?.label ?? t('models.profile.model_in_use');
  return (
    <li className={css['row']}>
      <div className={css['about']}>
        <p><strong><UntrustedText text={name} maxLength={80} /></strong></p>
        <p className="g-small g-muted"><code>{profile.principal}</code> · <UntrustedText text={model} maxLength={60} /> · {profile.scope === null ? t('models.profile.whole_access') : t('models.profile.narrowed', { what: narrowedTo(profile.scope, t) })}</p>
      </div>
      {asked ? (
        <div className={css['acts']} role="group" aria-label={t('models.remove_name', { name })}>
          <span className="g-small">{t('models.profile.remove_means')}</span>
          <Button size="xs" color="danger" variant="outline" onClick={() => void act('profiles:remove', { id: profile.id })}>{t('models.remove')}</Button>
          <Button size="xs" onClick={() => setAsked(false)}>{t('models.cancel')}</Button>
        </div>
      ) : (
        <div className={css['acts']}>
          <Button size="xs" aria-label={t('models.edit_name', { name })} data-opens={profile.id} onClick={onEdit}>{t('models.change')}</Button>
          {profile.id === 'default' ? null : <Button size="xs" aria-label={t('models.remove_name', { name })} onClick={() => setAsked(true)}>{t('models.remove')}</Button>}
        </div>
      )}
    </li>
  );
};

/** Profiles of the built-in agent: which model, how to work, and how far it may go. */
export const ProfilesSection = (): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [editing, setEditing] = useState<AgentProfile | 'new' | null>(null);
  const section = useRef<HTMLElement>(null);
  useFormFocus(section, editing === null || editing === 'new' ? editing : editing.id);
  useEffect(() => bridge.on('models:changed', () => setVersion((before) => before + 1)), []);
  const { state, reload } = useRequest('profiles:list', {}, version);
  const { state: modelsState } = useRequest('models:list', {}, version);
  const models = modelsState.phase === 'ready' ? modelsState.value.models : [];
  const done = (): void => {
    setEditing(null);
    setVersion((before) => before + 1);
  };
  return (
    <section ref={section} className="g-panel" aria-label={t('app.section.profiles')}>
      <div className={css['head']}>
        <h2 className="g-heading">{t('app.section.profiles')}</h2>
        {editing === null ? <Button data-opens="new" onClick={() => setEditing('new')}>{t('models.profile.add')}</Button> : null}
      </div>
      <p className="g-small g-muted">{t('models.profile.about')}</p>
      {editing === null ? null : <Form key={editing === 'new' ? 'new' : editing.id} profile={editing === 'new' ? null : editing} models={models} onDone={done} />}
      <LoadedView of={state} what={t('models.profile.reading')} rows={2} retry={reload}>
        {({ profiles }) => <ul className={css['rows']}>{profiles.map((profile) => <Row key={profile.id} profile={profile} models={models} onEdit={() => setEditing(profile)} />)}</ul>}
      </LoadedView>
    </section>
  );
};
