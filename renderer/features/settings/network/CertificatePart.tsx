import { Button, FileButton, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { CertificateFacts, NetworkStatus } from '../../../../shared/network.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { TimeText } from '../../../parts/TimeText.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { SettingField } from '../SettingField.tsx';
import css from './Network.module.css';
import { TestButton } from './TestButton.tsx';
import { useNetworkActs } from './use-network.ts';

const One = ({ facts }: { readonly facts: CertificateFacts }): ReactElement => {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <li className={css['certificate']}>
      <dl className={css['facts']}>
        <div><dt>{t('settings.network.certificate.subject')}</dt><dd><UntrustedText text={facts.subject} maxLength={200} /></dd></div>
        <div><dt>{t('settings.network.certificate.issuer')}</dt><dd><UntrustedText text={facts.issuer} maxLength={200} /></dd></div>
        <div><dt>{t('settings.network.certificate.until')}</dt><dd><TimeText at={facts.validTo} /></dd></div>
        <div data-wide><dt>{t('settings.network.certificate.fingerprint')}</dt><dd><code>{facts.fingerprint}</code></dd></div>
      </dl>
      {facts.validTo < now ? <p role="alert" className={css['bad']}>{t('settings.network.certificate.expired')}</p> : null}
    </li>
  );
};

/** The authority of a company's network: added by its path or by choosing the file, shown by what is in it. */
export const CertificatePart = ({ settings, network, onChanged, onTested }: { readonly settings: Settings; readonly network: NetworkStatus; readonly onChanged: () => void; readonly onTested: () => void }): ReactElement => {
  const { t } = useTranslation();
  const { fault, save, act } = useNetworkActs(onChanged);
  const [path, setPath] = useState('');
  const [address, setAddress] = useState('');
  const { certificate, certificateProblem } = network;
  const add = async (): Promise<void> => {
    if (path !== '' && (await act(bridge.request('network:setCertificate', { path })))) setPath('');
  };
  const pick = async (file: File | null): Promise<void> => {
    if (file !== null) await act(bridge.request('network:setCertificate', { pem: (await file.text()) || ' ', name: file.name }));
  };
  return (
    <section className={css['part']} aria-label={t('settings.network.certificate.title')}>
      <h3>{t('settings.network.certificate.title')}</h3>
      <p className={css['hint']}>{t('settings.network.certificate.means')}</p>
      {certificateProblem === null ? null : <FaultView fault={certificateProblem as Fault} compact />}
      {certificate === null ? <p className={css['inUse']}>{t('settings.network.certificate.none')}</p> : (
        <>
          <p className={css['inUse']}>{t('settings.network.certificate.from')} <code><UntrustedText text={certificate.name} maxLength={300} /></code> <span className="g-muted">{t('settings.network.certificate.copied')} <TimeText at={certificate.addedAt} /></span></p>
          <ul className={css['certificates']}>{certificate.certificates.map((one) => <One key={one.fingerprint} facts={one} />)}</ul>
        </>
      )}
      <form className={css['sealed']} onSubmit={(e) => { e.preventDefault(); void add(); }}>
        <TextInput className={css['grow']!} size="xs" label={t('settings.network.certificate.path')} autoComplete="off" spellCheck={false} value={path} onChange={(e) => setPath(e.currentTarget.value)} />
        <Button type="submit" color="accent" variant="outline" disabled={path === ''}>{t('settings.network.certificate.add')}</Button>
        <FileButton accept=".pem,.crt,.cer,.txt" onChange={(file) => void pick(file)}>{(props) => <Button {...props}>{t('settings.network.certificate.pick')}</Button>}</FileButton>
        {certificate === null && certificateProblem === null ? null : <Button aria-label={`${t('settings.network.remove')}: ${t('settings.network.certificate.title')}`} onClick={() => void act(bridge.request('network:removeCertificate', {}))}>{t('settings.network.remove')}</Button>}
      </form>
      {fault === null ? null : <FaultView fault={fault} compact />}
      <SettingField name={t('settings.network.certificate.apps')} hint={t('settings.network.certificate.apps_hint')}>
        <Switch checked={settings.certificateForApps} aria-label={`${t('settings.network.certificate.title')}: ${t('settings.network.certificate.apps')}`} onChange={(e) => void save({ certificateForApps: e.currentTarget.checked })} />
      </SettingField>
      <TextInput size="xs" label={t('settings.network.certificate.address')} placeholder="https://" autoComplete="off" spellCheck={false} value={address} onChange={(e) => setAddress(e.currentTarget.value)} />
      <TestButton onTested={onTested} what="certificate" name={t('settings.network.certificate.title')} address={address.trim()} />
    </section>
  );
};
