import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { NetworkStatus } from '../../../../shared/network.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { SettingField } from '../SettingField.tsx';
import css from './Network.module.css';
import { SealedField } from './SealedField.tsx';
import { TestButton } from './TestButton.tsx';
import { useNetworkActs } from './use-network.ts';

const InUse = ({ proxy }: { readonly proxy: NetworkStatus['proxy'] }): ReactElement => {
  const { t } = useTranslation();
  const addresses = [...new Set([proxy.https, proxy.http].filter((one) => one !== null))];
  return (
    <p className={css['inUse']}>
      {addresses.length === 0 ? t('settings.network.proxy.none') : <>{t('settings.network.proxy.in_use')} {addresses.map((one) => <code key={one}>{one}</code>)}</>}
      {proxy.from.length === 0 ? null : <span className="g-muted">{t(proxy.fromLoginShell ? 'settings.network.proxy.from_shell' : 'settings.network.proxy.from', { names: proxy.from.join(', ') })}</span>}
    </p>
  );
};

/** Which proxy, and whether apps get it. The mode of one's own is saved with its address: without one it is refused. */
export const ProxyPart = ({ settings, network, onChanged, onTested }: { readonly settings: Settings; readonly network: NetworkStatus; readonly onChanged: () => void; readonly onTested: () => void }): ReactElement => {
  const { t } = useTranslation();
  const { fault, saved, save, act } = useNetworkActs(onChanged);
  const [mode, setMode] = useState(settings.proxyMode);
  const [draft, setDraft] = useState({ proxyAddress: settings.proxyAddress, proxyBypass: settings.proxyBypass, proxyUser: settings.proxyUser });
  const choose = (wanted: Settings['proxyMode']): void => {
    setMode(wanted);
    if (wanted !== 'manual' || settings.proxyAddress !== '') void save({ proxyMode: wanted });
  };
  const field = (name: keyof typeof draft, label: 'address' | 'bypass' | 'user', hint: boolean): ReactElement => (
    <TextInput size="xs" label={t(`settings.network.proxy.${label}`)} description={hint ? t(`settings.network.proxy.${label}_hint`) : undefined} autoComplete="off" spellCheck={false} value={draft[name]} onChange={(e) => setDraft({ ...draft, [name]: e.currentTarget.value })} />
  );
  return (
    <section className={css['part']} aria-label={t('settings.network.proxy.title')}>
      <h3>{t('settings.network.proxy.title')}</h3>
      <SettingField name={t('settings.network.proxy.mode')} hint={t('settings.network.proxy.means')}>
        <SegmentedControl aria-label={t('settings.network.proxy.mode')} value={mode} onChange={(v) => choose(v as Settings['proxyMode'])} data={(['system', 'off', 'manual'] as const).map((one) => ({ value: one, label: t(`settings.network.proxy.modes.${one}`) }))} />
      </SettingField>
      {mode !== 'manual' ? null : (
        <>
          <form className={css['form']} onSubmit={(e) => { e.preventDefault(); void save({ proxyMode: 'manual', ...draft }); }}>
            {field('proxyAddress', 'address', true)}
            {field('proxyUser', 'user', false)}
            {field('proxyBypass', 'bypass', true)}
            <Button type="submit" color="accent" variant="outline">{t('settings.network.save')}</Button>
          </form>
          {settings.proxyAddress === '' ? null : <SealedField kind="proxy.password" isSet={network.proxy.passwordSet} send={(password) => act(bridge.request('network:setPassword', { password }))} />}
        </>
      )}
      <InUse proxy={network.proxy} />
      {network.proxy.problem === null ? null : <FaultView fault={network.proxy.problem as Fault} compact />}
      <SettingField name={t('settings.network.proxy.apps')} hint={t('settings.network.proxy.apps_hint')}>
        <Switch checked={settings.proxyForApps} aria-label={`${t('settings.network.proxy.title')}: ${t('settings.network.proxy.apps')}`} onChange={(e) => void save({ proxyForApps: e.currentTarget.checked })} />
      </SettingField>
      {fault === null ? saved ? <p role="status" className="g-small g-muted">{t('settings.network.saved')}</p> : null : <FaultView fault={fault} compact />}
      <TestButton onTested={onTested} what="proxy" name={t('settings.network.proxy.title')} />
    </section>
  );
};
