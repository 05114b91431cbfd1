import { Button, NumberInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { DEFAULT_SAMPLING_LIMITS, SAMPLING_LIMIT_NAMES, type SamplingLimits } from '../../../shared/sampling-limits.ts';
import type { Settings } from '../../../shared/settings.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { useSettings } from '../../stores/settings.ts';
import { SettingField } from './SettingField.tsx';
import css from './Settings.module.css';

type Name = (typeof SAMPLING_LIMIT_NAMES)[number];

/** One limit; what is no number, or was refused, goes back to what holds. */
const Limit = ({ name, value, refusals, onSave }: { readonly name: Name; readonly value: number; readonly refusals: number; readonly onSave: (value: number) => void }): ReactElement => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<number | string>(value);
  useEffect(() => setDraft(value), [value, refusals]);
  const save = (): void => {
    if (typeof draft !== 'number') setDraft(value);
    else if (draft !== value) onSave(draft);
  };
  return <NumberInput size="xs" hideControls clampBehavior="none" allowNegative={false} decimalScale={0} thousandSeparator="," aria-label={t(`settings.sampling.${name}`)} value={draft} onChange={setDraft} onBlur={save} onKeyDown={(e) => { if (e.key === 'Enter') save(); }} />;
};

/** What one server may take of the person's models, beside the consent to each request. */
export const SamplingLimitsSection = ({ settings }: { readonly settings: Settings }): ReactElement => {
  const { t } = useTranslation();
  const [fault, setFault] = useState<Fault | null>(null);
  const [refusals, setRefusals] = useState(0);
  const { samplingLimits } = settings;
  const save = async (next: SamplingLimits): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('settings:set', { samplingLimits: next });
    if (answer.ok) return useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
    setFault(answer.error);
    setRefusals((n) => n + 1);
  };
  const asShipped = SAMPLING_LIMIT_NAMES.every((name) => samplingLimits[name] === DEFAULT_SAMPLING_LIMITS[name]);
  return (
    <section className="g-panel" aria-label={t('settings.sampling.title')}>
      <div className={css['head']}>
        <h2 className="g-heading">{t('settings.sampling.title')}</h2>
        {asShipped ? null : <Button size="xs" onClick={() => void save(DEFAULT_SAMPLING_LIMITS)}>{t('settings.limits.reset')}</Button>}
      </div>
      <p className={css['hint']}>{t('settings.sampling.hint')}</p>
      {SAMPLING_LIMIT_NAMES.map((name) => <SettingField key={name} name={t(`settings.sampling.${name}`)}><Limit name={name} value={samplingLimits[name]} refusals={refusals} onSave={(value) => void save({ ...samplingLimits, [name]: value })} /></SettingField>)}
      {fault === null ? null : <FaultView fault={fault} compact />}
    </section>
  );
};
