import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import css from './Network.module.css';

/** A value that goes in and never comes out: sealed, replaced, removed. `send` answers whether it was taken. */
export const SealedField = ({ kind, isSet, send }: { readonly kind: 'proxy.password' | 'mirror.token'; readonly isSet: boolean; readonly send: (value: string | null) => Promise<boolean> }): ReactElement => {
  const { t } = useTranslation();
  const [value, setValue] = useState('');
  const seal = async (): Promise<void> => {
    if (value !== '' && (await send(value))) setValue('');
  };
  return (
    <form className={css['sealed']} onSubmit={(e) => { e.preventDefault(); void seal(); }}>
      <PasswordInput className={css['grow']!} size="xs" label={t(`settings.network.${kind}`)} description={t(`settings.network.${kind}_${isSet ? 'set' : 'none'}`)} placeholder={t(`settings.network.${kind}_new`)} autoComplete="off" value={value} onChange={(e) => setValue(e.currentTarget.value)} visibilityToggleButtonProps={{ 'aria-label': t('settings.network.show') }} />
      <Button type="submit" disabled={value === ''}>{t(`settings.network.${kind}_save`)}</Button>
      {isSet ? <Button aria-label={`${t('settings.network.remove')}: ${t(`settings.network.${kind}`)}`} onClick={() => void send(null)}>{t('settings.network.remove')}</Button> : null}
    </form>
  );
};
