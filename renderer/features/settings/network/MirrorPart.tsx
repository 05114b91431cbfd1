import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { NetworkStatus } from '../../../../shared/network.ts';
import type { Settings } from '../../../../shared/settings.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import css from './Network.module.css';
import { readScopes, writeScopes } from './scope-lines.ts';
import { SealedField } from './SealedField.tsx';
import { TestButton } from './TestButton.tsx';
import { useNetworkActs } from './use-network.ts';

/** Where apps are installed from. */
export const MirrorPart = ({ settings, network, onChanged, onTested }: { readonly settings: Settings; readonly network: NetworkStatus; readonly onChanged: () => void; readonly onTested: () => void }): ReactElement => {
  const { t } = useTranslation();
  const { fault, saved, save, act } = useNetworkActs(onChanged);
  const [registry, setRegistry] = useState(settings.npmRegistry);
  const [lines, setLines] = useState(writeScopes(settings.npmScopes));
  const scopes = readScopes(lines);
  return (
    <section className={css['part']} aria-label={t('settings.network.mirror.title')}>
      <h3>{t('settings.network.mirror.title')}</h3>
      <p className={css['hint']}>{t('settings.network.mirror.means')}</p>
      <form className={css['form']} data-fields="tops" onSubmit={(e) => { e.preventDefault(); if (scopes !== null) void save({ npmRegistry: registry.trim(), npmScopes: [...scopes] }); }}>
        <TextInput size="xs" label={t('settings.network.mirror.address')} description={t('settings.network.mirror.address_hint')} autoComplete="off" spellCheck={false} value={registry} onChange={(e) => setRegistry(e.currentTarget.value)} />
        <Textarea size="xs" autosize minRows={1} maxRows={6} label={t('settings.network.mirror.scopes')} description={t('settings.network.mirror.scopes_hint')} spellCheck={false} value={lines} error={scopes === null ? t('settings.network.mirror.scopes_wrong') : undefined} onChange={(e) => setLines(e.currentTarget.value)} />
        <Button type="submit" color="accent" variant="outline" disabled={scopes === null}>{t('settings.network.save')}</Button>
      </form>
      {settings.npmRegistry === '' ? null : <SealedField kind="mirror.token" isSet={network.npm.tokenSet} send={(token) => act(bridge.request('network:setToken', { token }))} />}
      <p className={css['inUse']}>{t('settings.network.mirror.in_use')} <code><UntrustedText text={network.npm.registry} maxLength={200} /></code> <span className="g-muted">{t(`settings.network.mirror.origin.${network.npm.from}`)}</span></p>
      {fault === null ? saved ? <p role="status" className="g-small g-muted">{t('settings.network.saved')}</p> : null : <FaultView fault={fault} compact />}
      <TestButton onTested={onTested} what="npm" name={t('settings.network.mirror.title')} />
    </section>
  );
};
