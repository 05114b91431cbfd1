import { NativeSelect, NumberInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EMBEDDING_PRESETS } from '../../../../shared/embedding-presets.ts';
import type { Embeddings, EmbeddingsTest as Tested } from '../../../../shared/embeddings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import css from './Agent.module.css';
import { embeddingsDraft, embeddingsRequestOf, hostOf, isHere, withEmbeddingPreset, type EmbeddingsDraft } from './embeddings-draft.ts';
import { EmbeddingsTest } from './EmbeddingsTest.tsx';
import { AddressField, EndpointActs, KeyField, NameField } from './EndpointFields.tsx';
import { OWN } from './model-draft.ts';
import { useEndpointForm } from './use-endpoint-form.ts';

/** The endpoint: where it is, its model, its key; tried before it is saved, if the person likes. Says what will go there. */
export const EmbeddingsForm = ({ kept, onDone }: { readonly kept: Embeddings | null; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const endpoint = useEndpointForm<EmbeddingsDraft, Tested>(() => embeddingsDraft(kept), {
    test: (draft) => bridge.request('embeddings:test', { draft: embeddingsRequestOf(draft) }),
    save: (draft) => bridge.request('embeddings:set', { ...embeddingsRequestOf(draft), ...(kept === null ? { enabled: true } : {}) }),
    onDone,
  });
  const { draft, setDraft, change, tested } = endpoint;
  const preset = EMBEDDING_PRESETS.find(({ id }) => id === draft.preset);
  const host = hostOf(draft.baseUrl);
  return (
    <form className={css['form']} aria-label={t('models.embeddings.form')} noValidate onSubmit={(event) => { event.preventDefault(); void endpoint.save(event.currentTarget); }}>
      <div className={css['fields']}>
        <NativeSelect size="xs" label={t('models.embeddings.preset')} value={draft.preset} onChange={(event) => setDraft(withEmbeddingPreset(draft, event.currentTarget.value))}
          data={[...EMBEDDING_PRESETS.map(({ id, name, isLocal }) => ({ value: id, label: isLocal ? t('models.embeddings.preset_local', { name }) : name })), { value: OWN, label: t('models.embeddings.own') }]} />
        <AddressField of={endpoint} />
        <NameField of={endpoint} placeholder={preset === undefined ? '' : t('models.embeddings.example', { name: preset.example })} />
        <KeyField of={endpoint} isOptional={preset?.key === 'optional'} />
        <NumberInput size="xs" inputWrapperOrder={['label', 'input', 'description', 'error']} hideControls allowNegative={false} allowDecimal={false} min={8} max={8192} label={t('models.embeddings.dimensions')} description={t('models.embeddings.dimensions_why')} value={draft.dimensions} onChange={(dimensions) => change({ dimensions })} />
      </div>
      <p className="g-small">{t('models.embeddings.goes_out')}{host === null ? null : <> <strong>{isHere(host) ? t('models.embeddings.local_means') : t('models.embeddings.remote_means', { host })}</strong></>}</p>
      <p className="g-small g-muted">{t('models.embeddings.test.costs')}</p>
      <EndpointActs of={endpoint} words={{ test: t('models.embeddings.test.do'), save: t('models.embeddings.save'), cancel: t('models.embeddings.cancel') }} onCancel={onDone} />
      {tested === null ? null : <EmbeddingsTest tested={tested} />}
    </form>
  );
};
