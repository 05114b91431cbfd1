import { Switch } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { Settings } from '../../../shared/settings.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { useSettings } from '../../stores/settings.ts';
import { hasDesktopSettings, useShell } from '../../stores/shell.ts';
import { SettingField } from './SettingField.tsx';

/** Tray, notifications and start with the session: what this shell can do, and nothing where it can do none of it. */
export const DesktopSection = ({ settings }: { readonly settings: Settings }): ReactElement | null => {
  const { t } = useTranslation();
  const shell = useShell((s) => s.shell);
  const [fault, setFault] = useState<Fault | null>(null);
  if (shell.phase !== 'ready' || !hasDesktopSettings(shell)) return null;
  const { can, launchAtLogin } = shell.value;
  const save = async (change: Partial<Settings>): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('settings:set', change);
    if (answer.ok) useSettings.setState({ settings: { phase: 'ready', value: answer.value.settings } });
    else setFault(answer.error);
  };
  const saveLogin = async (on: boolean): Promise<void> => {
    setFault(null);
    const answer = await bridge.request('shell:setLaunchAtLogin', { on });
    if (answer.ok) useShell.setState({ shell: { phase: 'ready', value: answer.value.shell } });
    else setFault(answer.error);
  };
  const toggle = (name: 'tray' | 'notify' | 'login', on: boolean, set: (on: boolean) => void): ReactElement => (
    <SettingField name={t(`settings.desktop.${name}`)} hint={t(`settings.desktop.${name}_hint`)}>
      <Switch checked={on} aria-label={t(`settings.desktop.${name}`)} onChange={(e) => set(e.currentTarget.checked)} />
    </SettingField>
  );
  return (
    <section className="g-panel" aria-label={t('app.section.desktop')}>
      <h2 className="g-heading">{t('app.section.desktop')}</h2>
      {can.closeToTray ? toggle('tray', settings.closeToTray, (on) => void save({ closeToTray: on })) : null}
      {can.notify ? toggle('notify', settings.notifyApprovals, (on) => void save({ notifyApprovals: on })) : null}
      {can.launchAtLogin ? toggle('login', launchAtLogin, (on) => void saveLogin(on)) : null}
      {fault === null ? null : <FaultView fault={fault} compact />}
    </section>
  );
};
