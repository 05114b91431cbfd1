import { Button, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EMBEDDING_PRESETS } from '../../../../shared/embedding-presets.ts';
import type { Embeddings, EmbeddingsTest as Tested } from '../../../../shared/embeddings.ts';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import css from './Agent.module.css';
import { embeddingsDraft, embeddingsRequestOf, hostOf, isHere, withEmbeddingPreset, type EmbeddingsDraft } from './embeddings-draft.ts';
import { EmbeddingsTest } from './EmbeddingsTest.tsx';
import { missingIn, OWN } from './model-draft.ts';

/** The endpoint: where it is, its model, its key; tried before it is saved, if the person likes. Says what will go there. */
export const EmbeddingsForm = ({ kept, onDone }: { readonly kept: Embeddings | null; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => embeddingsDraft(kept));
  const [tested, setTested] = useState<Tested | null>(null);
  const [busy, setBusy] = useState<'no' | 'test' | 'save'>('no');
  const [fault, setFault] = useState<Fault | null>(null);
  const [missing, setMissing] = useState<'baseUrl' | 'model' | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<EmbeddingsDraft>): void => setDraft({ ...draft, ...part });
  const isWhole = (): boolean => {
    const first = missingIn(draft);
    setMissing(first);
    if (first !== null) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    return first === null;
  };
  const test = async (): Promise<void> => {
    if (!isWhole()) return;
    setBusy('test');
    setFault(null);
    const answer = await bridge.request('embeddings:test', { draft: embeddingsRequestOf(draft) });
    setBusy('no');
    if (answer.ok) setTested(answer.value);
    else setFault(answer.error);
  };
  const save = async (): Promise<void> => {
    if (!isWhole()) return;
    setBusy('save');
    setFault(null);
    const answer = await bridge.request('embeddings:set', { ...embeddingsRequestOf(draft), ...(kept === null ? { enabled: true } : {}) });
    setBusy('no');
    if (answer.ok) onDone();
    else setFault(answer.error);
  };
  const preset = EMBEDDING_PRESETS.find(({ id }) => id === draft.preset);
  const host = hostOf(draft.baseUrl);
  return (
    <form ref={form} className={css['form']} aria-label={t('models.embeddings.form')} noValidate onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <div className={css['fields']}>
        <NativeSelect size="xs" label={t('models.embeddings.preset')} value={draft.preset} onChange={(event) => setDraft(withEmbeddingPreset(draft, event.currentTarget.value))}
          data={[...EMBEDDING_PRESETS.map(({ id, name, isLocal }) => ({ value: id, label: isLocal ? t('models.embeddings.preset_local', { name }) : name })), { value: OWN, label: t('models.embeddings.own') }]} />
        <TextInput size="xs" name="baseUrl" label={t('models.baseUrl')} spellCheck={false} value={draft.baseUrl} onChange={(event) => change({ baseUrl: event.currentTarget.value })} error={missing === 'baseUrl' ? t('models.missing.baseUrl') : undefined} />
        <TextInput size="xs" name="model" label={t('models.model')} spellCheck={false} placeholder={preset === undefined ? '' : t('models.embeddings.example', { name: preset.example })} value={draft.model} onChange={(event) => change({ model: event.currentTarget.value })} error={missing === 'model' ? t('models.missing.model') : undefined} />
        <PasswordInput size="xs" inputWrapperOrder={['label', 'input', 'description', 'error']} label={t('models.key')} description={t(draft.hasKey ? 'models.key_kept' : preset?.key === 'optional' ? 'models.key_optional' : 'models.key_sealed')} autoComplete="off" value={draft.key} onChange={(event) => change({ key: event.currentTarget.value })} visibilityToggleButtonProps={{ 'aria-label': t('models.show_key') }} />
        <NumberInput size="xs" inputWrapperOrder={['label', 'input', 'description', 'error']} hideControls allowNegative={false} allowDecimal={false} min={8} max={8192} label={t('models.embeddings.dimensions')} description={t('models.embeddings.dimensions_why')} value={draft.dimensions} onChange={(dimensions) => change({ dimensions })} />
      </div>
      <p className="g-small">{t('models.embeddings.goes_out')}{host === null ? null : <> <strong>{isHere(host) ? t('models.embeddings.local_means') : t('models.embeddings.remote_means', { host })}</strong></>}</p>
      <p className="g-small g-muted">{t('models.embeddings.test.costs')}</p>
      <div className={css['acts']}>
        <Button loading={busy === 'test'} disabled={busy !== 'no'} onClick={() => void test()}>{t('models.embeddings.test.do')}</Button>
        <Button type="submit" variant="filled" loading={busy === 'save'} disabled={busy !== 'no'}>{t('models.embeddings.save')}</Button>
        <Button onClick={onDone}>{t('models.embeddings.cancel')}</Button>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
      {tested === null ? null : <EmbeddingsTest tested={tested} />}
    </form>
  );
};
