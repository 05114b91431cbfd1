import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultView } from '../../../parts/FaultView.tsx';
import css from './Agent.module.css';
import type { EndpointForm } from './use-endpoint-form.ts';

/** The endpoint whose form this stands in, as far as a field needs it. */
interface Part<D> {
  readonly of: Pick<EndpointForm<D, unknown>, 'draft' | 'change' | 'missing'>;
}

export const AddressField = ({ of: { draft, change, missing } }: Part<{ readonly baseUrl: string }>): ReactElement => {
  const { t } = useTranslation();
  return <TextInput size="xs" name="baseUrl" label={t('models.baseUrl')} spellCheck={false} value={draft.baseUrl} onChange={(event) => change({ baseUrl: event.currentTarget.value })} error={missing === 'baseUrl' ? t('models.missing.baseUrl') : undefined} />;
};

export const NameField = ({ of: { draft, change, missing }, placeholder, list }: Part<{ readonly model: string }> & { readonly placeholder?: string; readonly list?: string }): ReactElement => {
  const { t } = useTranslation();
  return <TextInput size="xs" name="model" label={t('models.model')} spellCheck={false} placeholder={placeholder} list={list} value={draft.model} onChange={(event) => change({ model: event.currentTarget.value })} error={missing === 'model' ? t('models.missing.model') : undefined} />;
};

/** Empty, and the key that is kept stays. */
export const KeyField = ({ of: { draft, change }, isOptional }: Part<{ readonly key: string; readonly hasKey: boolean }> & { readonly isOptional: boolean }): ReactElement => {
  const { t } = useTranslation();
  return (
    <PasswordInput size="xs" inputWrapperOrder={['label', 'input', 'description', 'error']} label={t('models.key')} description={t(draft.hasKey ? 'models.key_kept' : isOptional ? 'models.key_optional' : 'models.key_sealed')}
      autoComplete="off" value={draft.key} onChange={(event) => change({ key: event.currentTarget.value })} visibilityToggleButtonProps={{ 'aria-label': t('models.show_key') }} />
  );
};

export const EndpointActs = ({ of: { busy, fault, test }, words, onCancel }: { readonly of: Pick<EndpointForm<never, unknown>, 'busy' | 'fault' | 'test'>; readonly words: { readonly test: string; readonly save: string; readonly cancel: string }; readonly onCancel: () => void }): ReactElement => (
  <>
    <div className={css['acts']}>
      <Button loading={busy === 'test'} disabled={busy !== 'no'} onClick={(event) => void test(event.currentTarget.form)}>{words.test}</Button>
      <Button type="submit" variant="filled" loading={busy === 'save'} disabled={busy !== 'no'}>{words.save}</Button>
      <Button onClick={onCancel}>{words.cancel}</Button>
    </div>
    {fault === null ? null : <FaultView fault={fault} compact />}
  </>
);
