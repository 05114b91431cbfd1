import { NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTest as Tested } from '../../../../shared/model.ts';
import { MODEL_PRESETS } from '../../../../shared/model-presets.ts';
import { bridge } from '../../../bridge/bridge.ts';
import css from './Agent.module.css';
import { AddressField, EndpointActs, KeyField, NameField } from './EndpointFields.tsx';
import { OWN, requestOf, withPreset, type ModelDraft } from './model-draft.ts';
import { ModelTest } from './ModelTest.tsx';
import { useEndpointForm } from './use-endpoint-form.ts';

/** One model: where it is, its name, its key, what it costs and carries; tried before it is saved, if the person likes. */
export const ModelForm = ({ begin, onDone }: { readonly begin: ModelDraft; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const endpoint = useEndpointForm<ModelDraft, Tested>(() => begin, {
    test: (draft) => bridge.request('models:test', { ...(draft.id === null ? {} : { id: draft.id }), draft: requestOf(draft) }),
    save: (draft) => bridge.request('models:set', { id: draft.id, ...requestOf(draft) }),
    onDone,
  });
  const { draft, setDraft, change, tested } = endpoint;
  const names = useId();
  const number = (name: 'inputPrice' | 'outputPrice' | 'contextTokens' | 'maxOutputTokens', decimals: number): ReactElement => (
    <NumberInput size="xs" hideControls allowNegative={false} decimalScale={decimals} label={t(`models.${name}`)} value={draft[name]} onChange={(value) => change({ [name]: value })} />
  );
  const preset = MODEL_PRESETS.find(({ id }) => id === draft.preset);
  return (
    <form className={css['form']} aria-label={t(draft.id === null ? 'models.add' : 'models.edit')} noValidate onSubmit={(event) => { event.preventDefault(); void endpoint.save(event.currentTarget); }}>
      <div className={css['fields']}>
        <NativeSelect size="xs" label={t('models.preset')} value={draft.preset} onChange={(event) => setDraft(withPreset(draft, event.currentTarget.value))}
          data={[...MODEL_PRESETS.map(({ id, name, isLocal }) => ({ value: id, label: isLocal ? t('models.local', { name }) : name })), { value: OWN, label: t('models.own') }]} />
        <AddressField of={endpoint} />
        <NameField of={endpoint} list={names} />
        <datalist id={names}>{(tested?.offered ?? []).map((name) => <option key={name} value={name} aria-label={name} />)}</datalist>
        <TextInput size="xs" label={t('models.label')} placeholder={draft.model} value={draft.label} onChange={(event) => change({ label: event.currentTarget.value })} />
        <KeyField of={endpoint} isOptional={preset?.key === 'optional'} />
        {preset === undefined ? <TextInput size="xs" inputWrapperOrder={['label', 'input', 'description', 'error']} label={t('models.provider')} description={t('models.provider_why')} value={draft.provider} onChange={(event) => change({ provider: event.currentTarget.value })} /> : null}
      </div>
      <details className={css['more']}>
        <summary>{t('models.more')}</summary>
        <div className={css['fields']}>
          {number('inputPrice', 6)}{number('outputPrice', 6)}
          <TextInput size="xs" label={t('models.currency')} maxLength={3} value={draft.currency} onChange={(event) => change({ currency: event.currentTarget.value })} />
          {number('contextTokens', 0)}{number('maxOutputTokens', 0)}
        </div>
        <p className="g-small g-muted">{t('models.prices_why')}</p>
      </details>
      <p className="g-small g-muted">{t('models.test.costs')}</p>
      <EndpointActs of={endpoint} words={{ test: t('models.test.do'), save: t('models.save'), cancel: t('models.cancel') }} onCancel={onDone} />
      {tested === null ? null : <ModelTest tested={tested} />}
    </form>
  );
};
