import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../../shared/settings.ts';
import { FaultView } from '../../../parts/FaultView.tsx';
import css from './Network.module.css';
import { useNetworkActs } from './use-network.ts';

/** How Gantry is known at login servers that read a client metadata document. */
export const SignInPart = ({ settings, onChanged }: { readonly settings: Settings; readonly onChanged: () => void }): ReactElement => {
  const { t } = useTranslation();
  const { fault, saved, save } = useNetworkActs(onChanged);
  const [address, setAddress] = useState(settings.clientDocument);
  return (
    <section className={css['part']} aria-label={t('settings.network.signIn.title')}>
      <h3>{t('settings.network.signIn.title')}</h3>
      <p className={css['hint']}>{t('settings.network.signIn.means')}</p>
      <form className={css['form']} data-fields="tops" onSubmit={(e) => { e.preventDefault(); void save({ clientDocument: address.trim() }); }}>
        <TextInput size="xs" label={t('settings.network.signIn.address')} description={t('settings.network.signIn.address_hint')} autoComplete="off" spellCheck={false} value={address} onChange={(e) => setAddress(e.currentTarget.value)} />
        <Button type="submit" color="accent" variant="outline">{t('settings.network.save')}</Button>
      </form>
      {fault === null ? saved ? <p role="status" className="g-small g-muted">{t('settings.network.signIn.saved')}</p> : null : <FaultView fault={fault} compact />}
    </section>
  );
};
