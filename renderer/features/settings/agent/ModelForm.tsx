import { Button, NativeSelect, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { ModelTest as Tested } from '../../../../shared/model.ts';
import { MODEL_PRESETS } from '../../../../shared/model-presets.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import css from './Agent.module.css';
import { missingIn, OWN, requestOf, withPreset, type ModelDraft } from './model-draft.ts';
import { ModelTest } from './ModelTest.tsx';

/** One model: where it is, its name, its key, what it costs and carries; tried before it is saved, if the person likes. */
export const ModelForm = ({ begin, onDone }: { readonly begin: ModelDraft; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(begin);
  const [tested, setTested] = useState<Tested | null>(null);
  const [busy, setBusy] = useState<'no' | 'test' | 'save'>('no');
  const [fault, setFault] = useState<Fault | null>(null);
  const [missing, setMissing] = useState<'baseUrl' | 'model' | null>(null);
  const names = useId();
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<ModelDraft>): void => setDraft({ ...draft, ...part });
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
    const answer = await bridge.request('models:test', { ...(draft.id === null ? {} : { id: draft.id }), draft: requestOf(draft) });
    setBusy('no');
    if (answer.ok) setTested(answer.value);
    else setFault(answer.error);
  };
  const save = async (): Promise<void> => {
    if (!isWhole()) return;
    setBusy('save');
    setFault(null);
    const answer = await bridge.request('models:set', { id: draft.id, ...requestOf(draft) });
    setBusy('no');
    if (answer.ok) onDone();
    else setFault(answer.error);
  };
  const number = (name: 'inputPrice' | 'outputPrice' | 'contextTokens' | 'maxOutputTokens', decimals: number): ReactElement => (
    <NumberInput size="xs" hideControls allowNegative={false} decimalScale={decimals} label={t(`models.${name}`)} value={draft[name]} onChange={(value) => change({ [name]: value })} />
  );
  const preset = MODEL_PRESETS.find(({ id }) => id === draft.preset);
  return (
    <form ref={form} className={css['form']} aria-label={t(draft.id === null ? 'models.add' : 'models.edit')} noValidate onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <div className={css['fields']}>
        <NativeSelect size="xs" label={t('models.preset')} value={draft.preset} onChange={(event) => setDraft(withPreset(draft, event.currentTarget.value))}
          data={[...MODEL_PRESETS.map(({ id, name, isLocal }) => ({ value: id, label: isLocal ? t('models.local', { name }) : name })), { value: OWN, label: t('models.own') }]} />
        <TextInput size="xs" name="baseUrl" label={t('models.baseUrl')} spellCheck={false} value={draft.baseUrl} onChange={(event) => change({ baseUrl: event.currentTarget.value })} error={missing === 'baseUrl' ? t('models.missing.baseUrl') : undefined} />
        <TextInput size="xs" name="model" label={t('models.model')} spellCheck={false} list={names} value={draft.model} onChange={(event) => change({ model: event.currentTarget.value })} error={missing === 'model' ? t('models.missing.model') : undefined} />
        <datalist id={names}>{(tested?.offered ?? []).map((name) => <option key={name} value={name} aria-label={name} />)}</datalist>
        <TextInput size="xs" label={t('models.label')} placeholder={draft.model} value={draft.label} onChange={(event) => change({ label: event.currentTarget.value })} />
        <PasswordInput size="xs" inputWrapperOrder={['label', 'input', 'description', 'error']} label={t('models.key')} description={t(draft.hasKey ? 'models.key_kept' : preset?.key === 'optional' ? 'models.key_optional' : 'models.key_sealed')} autoComplete="off" value={draft.key} onChange={(event) => change({ key: event.currentTarget.value })} visibilityToggleButtonProps={{ 'aria-label': t('models.show_key') }} />
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
      <div className={css['acts']}>
        <Button loading={busy === 'test'} disabled={busy !== 'no'} onClick={() => void test()}>{t('models.test.do')}</Button>
        <Button type="submit" variant="filled" loading={busy === 'save'} disabled={busy !== 'no'}>{t('models.save')}</Button>
        <Button onClick={onDone}>{t('models.cancel')}</Button>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
      {tested === null ? null : <ModelTest tested={tested} />}
    </form>
  );
};
