import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import css from './Settings.module.css';

const SHORTEST = 8;

/** Sets, gives or changes the passphrase of the secret store. There is no way to get it back, and the form says so. */
export const PassphraseForm = ({ mode, onDone }: { readonly mode: 'set' | 'unlock' | 'change'; readonly onDone: () => void }): ReactElement => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(mode !== 'change');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const mismatch = mode !== 'unlock' && again !== '' && next !== again;
  const ready = mode === 'unlock' ? current.length >= SHORTEST : next.length >= SHORTEST && next === again && (mode === 'set' || current !== '');
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    setFault(null);
    const answer = mode === 'change' ? await bridge.request('secrets:changePassphrase', { passphrase: current, newPassphrase: next }) : await bridge.request('secrets:unlock', { passphrase: mode === 'unlock' ? current : next });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    setCurrent('');
    setNext('');
    setAgain('');
    setOpen(mode !== 'change');
    onDone();
  };
  const field = (name: 'current' | 'next' | 'again', value: string, set: (v: string) => void): ReactElement => (
    <PasswordInput size="xs" label={t(`settings.passphrase.${name}`)} autoComplete={name === 'current' ? 'current-password' : 'new-password'} value={value} onChange={(e) => set(e.currentTarget.value)} aria-invalid={name === 'again' && mismatch} error={name === 'again' && mismatch ? t('settings.passphrase.differ') : undefined} visibilityToggleButtonProps={{ 'aria-label': t('settings.secrets.show') }} />
  );
  if (!open) return <Button onClick={() => setOpen(true)}>{t('settings.passphrase.change')}</Button>;
  return (
    <form className={css['passphrase']} onSubmit={(e) => void send(e)}>
      {mode === 'unlock' ? null : <p className={css['hint']}>{t('settings.passphrase.no_way_back')}</p>}
      {mode === 'set' ? null : field('current', current, setCurrent)}
      {mode === 'unlock' ? null : field('next', next, setNext)}
      {mode === 'unlock' ? null : field('again', again, setAgain)}
      <div className={css['row']}>
        <Button type="submit" color="accent" variant="outline" loading={busy} disabled={!ready}>{t(`settings.passphrase.do_${mode}`)}</Button>
        {mode === 'change' ? <Button onClick={() => setOpen(false)}>{t('settings.secrets.cancel')}</Button> : null}
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </form>
  );
};
