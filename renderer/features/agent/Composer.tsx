import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentProfile } from '../../../shared/agent-profile.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Model } from '../../../shared/model.ts';
import { MOST_ATTACHMENTS } from '../../../shared/most-attachments.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import { useDraft } from '../../stores/drafts.ts';
import css from './Agent.module.css';
import { AttachPanel } from './AttachPanel.tsx';
import { asAttachment, withResource, type AttachedResource, type FieldsSlot } from './attached.ts';
import { Chips } from './Chips.tsx';
import { readAttachment } from './read-attachment.ts';
import type { Attached } from './use-conversation.ts';

interface ComposerProps {
  readonly conversationId: string | null;
  readonly models: readonly Model[];
  readonly profiles: readonly AgentProfile[];
  readonly profileId: string;
  readonly onProfile: (id: string) => void;
  /** a run of the conversation is under way: one question at a time */
  readonly busy: boolean;
  readonly onSent: (conversationId: string) => void;
  /** the fields of a template */
  readonly fields: FieldsSlot;
}

const Plus = (): ReactElement => <svg width="10" height="10" viewBox="0 0 10 10" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true"><path d="M5 1v8M1 5h8" /></svg>;

/** Where the person writes: words, files and resources that go along, which profile and model. Enter sends, Shift and Enter begin a line. */
export const Composer = ({ conversationId, models, profiles, profileId, onProfile, busy, onSent, fields }: ComposerProps): ReactElement => {
  const { t } = useTranslation();
  const place = conversationId ?? 'new';
  const [text, setText] = useDraft(`text ${place}`, '');
  const [model, setModel] = useState('');
  const [files, setFiles] = useDraft<readonly (Attached & { readonly sizeBytes: number })[]>(`files ${place}`, []);
  const [resources, setResources] = useDraft<readonly AttachedResource[]>(`resources ${place}`, []);
  const [choosing, setChoosing] = useState(false);
  const chooser = useRef<HTMLButtonElement>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [sending, setSending] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const given = files.length + resources.length;
  const full = given >= MOST_ATTACHMENTS;
  const send = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (text.trim() === '' || busy || sending) return;
    setSending(true);
    setFault(null);
    const answer = await bridge.request('agent:run', {
      prompt: text.toWellFormed(), profileId, ...(conversationId === null ? {} : { conversationId }), ...(model === '' ? {} : { model }),
      ...(given === 0 ? {} : { attachments: [...resources.map(asAttachment), ...files.map(({ sizeBytes: _size, ...file }) => file)] }),
    });
    setSending(false);
    if (!answer.ok) return setFault(answer.error);
    setText('');
    setFiles([]);
    setResources([]);
    setChoosing(false);
    onSent(answer.value.conversationId);
  };
  const attach = async (picked: FileList | null): Promise<void> => {
    const read = await Promise.all([...(picked ?? [])].map(readAttachment));
    setFiles((was) => [...was, ...read.flatMap((one) => (one.ok ? [one.value] : []))].slice(0, MOST_ATTACHMENTS - resources.length));
    setFault(read.find((one) => !one.ok)?.error ?? null);
  };
  const own = models.find(({ id }) => id === profiles.find((one) => one.id === profileId)?.modelId);
  const inUse = own ?? models.find(({ isDefault }) => isDefault);
  return (
    <form className={css['composer']} data-busy={busy} aria-label={t('agent.composer')} onSubmit={(event) => void send(event)}>
      <Textarea aria-label={t('agent.prompt')} placeholder={t('agent.prompt')} autosize minRows={2} maxRows={8} value={text} onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) { event.preventDefault(); void send(); } }} />
      <Chips files={files} resources={resources} onDropFile={(at) => setFiles(files.filter((_, other) => other !== at))} onDropResource={(at) => setResources(resources.filter((_, other) => other !== at))} />
      {choosing ? <AttachPanel principal={profiles.find(({ id }) => id === profileId)?.principal ?? BUILT_IN_AGENT} attached={resources} full={full} fields={fields} onAdd={(one) => setResources((was) => withResource(was, one))} onClose={() => { setChoosing(false); chooser.current?.focus(); }} /> : null}
      <div className={css['composerFoot']}>
        <NativeSelect size="xs" aria-label={t('agent.profile')} value={profileId} onChange={(event) => onProfile(event.currentTarget.value)} data={profiles.map(({ id, name }) => ({ value: id, label: name === '' ? t('agent.default_profile') : name }))} />
        <NativeSelect size="xs" aria-label={t('agent.model')} value={model} onChange={(event) => setModel(event.currentTarget.value)} data={[{ value: '', label: t(own === undefined ? 'agent.model_in_use' : 'agent.profile_model', { model: inUse?.label ?? '' }) }, ...models.map(({ id, label }) => ({ value: id, label }))]} />
        <input ref={picker} type="file" multiple hidden tabIndex={-1} aria-label={t('agent.attach')} onChange={(event) => { void attach(event.currentTarget.files); event.currentTarget.value = ''; }} />
        <Button size="xs" disabled={full} aria-label={t('agent.attach')} title={t('agent.attach')} leftSection={<Plus />} onClick={() => picker.current?.click()}>{t('agent.files')}</Button>
        <Button ref={chooser} size="xs" aria-expanded={choosing} aria-label={t('agent.resources.open')} title={t('agent.resources.open')} leftSection={<Plus />} onClick={() => setChoosing(!choosing)}>{t('agent.resources.short')}</Button>
        <a className="g-small" href={href.settings('models')}>{t('agent.settings')}</a>
        <Button type="submit" variant="filled" className={css['send']!} loading={sending} disabled={busy || text.trim() === ''}>{t('agent.send')}</Button>
      </div>
      {busy ? <p className={css['busy']}>{t('agent.one_at_a_time')}</p> : null}
      {fault === null ? null : <FaultView fault={fault} compact />}
    </form>
  );
};
