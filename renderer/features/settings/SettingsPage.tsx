import { NumberInput, SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { Settings } from '../../../shared/settings.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { LoadedView } from '../../parts/LoadedView.tsx';
import type { SettingsSection } from '../../routes.ts';
import { useSettings } from '../../stores/settings.ts';
import { ModelsSection } from './agent/ModelsSection.tsx';
import { ProfilesSection } from './agent/ProfilesSection.tsx';
import { AboutSection } from './AboutSection.tsx';
import { CallLimitsSection } from './CallLimitsSection.tsx';
import { DataSections } from './data/DataSections.tsx';
import { DesktopSection } from './DesktopSection.tsx';
import { LicencesSection } from './LicencesSection.tsx';
import { NetworkSections } from './network/NetworkSections.tsx';
import { RulesSection } from './RulesSection.tsx';
import { SecretsSection } from './SecretsSection.tsx';
import css from './Settings.module.css';
import { SettingsContents } from './SettingsContents.tsx';
import { SamplingLimitsSection } from './SamplingLimitsSection.tsx';
import { SettingField } from './SettingField.tsx';
import { StopAllButton } from './StopAllButton.tsx';
import { UpdatesSection } from './UpdatesSection.tsx';
import { useAskedSection } from './use-asked-section.ts';

const General = ({ settings }: { readonly settings: Settings }): ReactElement => {
  const { t } = useTranslation();
  const [fault, setFault] = useState<Fault | null>(null);
  const [minutes, setMinutes] = useState<number | string>(settings.approvalExpiryMinutes);
  const save = async (change: Partial<Settings>): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('settings:set', change);
    if (answer.ok) useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
    else setFault(answer.error);
  };
  const saveMinutes = (): void => {
    if (typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1 && minutes <= 1440) void save({ approvalExpiryMinutes: minutes });
    else setMinutes(settings.approvalExpiryMinutes);
  };
  return (
    <section className="g-panel" aria-label={t('app.section.general')}>
      <h2 className="g-heading">{t('app.section.general')}</h2>
      <SettingField name={t('settings.language')}>
        <SegmentedControl aria-label={t('settings.language')} value={settings.language} onChange={(v) => void save({ language: v as Settings['language'] })} data={[{ value: 'system', label: t('settings.system') }, { value: 'en', label: 'English' }, { value: 'zh', label: '中文' }]} />
      </SettingField>
      <SettingField name={t('settings.theme')}>
        <SegmentedControl aria-label={t('settings.theme')} value={settings.theme} onChange={(v) => void save({ theme: v as Settings['theme'] })} data={[{ value: 'system', label: t('settings.system') }, { value: 'light', label: t('settings.light') }, { value: 'dark', label: t('settings.dark') }]} />
      </SettingField>
      <SettingField name={t('settings.expiry')} hint={t('settings.expiry_hint')}>
        <NumberInput size="xs" aria-label={t('settings.expiry')} w={110} min={1} max={1440} allowDecimal={false} clampBehavior="none" suffix={t('settings.minutes')} value={minutes} onChange={setMinutes} onBlur={saveMinutes} onKeyDown={(e) => { if (e.key === 'Enter') saveMinutes(); }} />
      </SettingField>
      <SettingField name={t('settings.stop')} hint={t('settings.stop_hint')}><StopAllButton /></SettingField>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </section>
  );
};

/** Language, looks, how long an approval waits, secrets, standing rules, and where everything lies. */
export const SettingsPage = ({ section }: { readonly section: SettingsSection | null }): ReactElement => {
  const { t } = useTranslation();
  const page = useRef<HTMLDivElement>(null);
  useAskedSection(page, section);
  const settings = useSettings((s) => s.settings);
  return (
    <div className={css['withContents']}>
      <h1 className="g-title">{t('settings.page')}</h1>
      <SettingsContents page={page} />
      <div ref={page} className={css['page']}>
        <LoadedView of={settings} what={t('settings.reading')}>{(value) => <><div data-section="general"><General key={value.approvalExpiryMinutes} settings={value} /></div><div data-section="desktop"><DesktopSection settings={value} /></div><div data-section="updates"><UpdatesSection settings={value} /></div></>}</LoadedView>
        <div data-section="models"><ModelsSection /></div>
        <div data-section="profiles"><ProfilesSection /></div>
        <div data-section="rules"><RulesSection /></div>
        <div data-section="calls"><LoadedView of={settings} what={t('settings.reading')}>{(value) => <><CallLimitsSection settings={value} /><SamplingLimitsSection settings={value} /></>}</LoadedView></div>
        <div data-section="secrets"><SecretsSection /></div>
        <div data-section="network"><section className="g-panel" aria-label={t('app.section.network')}><h2 className="g-heading">{t('app.section.network')}</h2><LoadedView of={settings} what={t('settings.reading')}>{(value) => <NetworkSections settings={value} />}</LoadedView></section></div>
        <DataSections />
        <div data-section="about"><AboutSection /></div>
        <div data-section="licences"><LicencesSection /></div>
      </div>
    </div>
  );
};
