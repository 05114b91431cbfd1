import { Button, Modal, PasswordInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import classes from './Form.module.css';

interface UnlockDialogProps {
  /** set up: no passphrase yet, so it is chosen here and typed twice; asking: there is nothing to do here but wait */
  readonly mode: 'unlock' | 'set_up' | 'asking';
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks for the passphrase of the secret store before a secret is saved. It is sent to the host and kept nowhere here. */
export function UnlockDialog({ mode, onDone, onCancel }: UnlockDialogProps) {
  const { t } = useTranslation();
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const tooShort = passphrase.length < 8;
  const differs = mode === 'set_up' && again !== passphrase;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (tooShort || differs) return;
    setBusy(true);
    const answer = await bridge.request('secrets:unlock', { passphrase });
    setBusy(false);
    if (answer.ok) onDone();
    else setFailure(answer.error);
  };
  if (mode === 'asking') {
    return (
      <Modal opened onClose={onCancel} title={t('servers.unlock.asking.title')} closeButtonProps={{ 'aria-label': t('servers.close') }}>
        <p className="g-muted" role="status">{t('servers.unlock.asking.body')}</p>
        <Button onClick={onCancel}>{t('servers.cancel')}</Button>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onCancel} title={t(`servers.unlock.${mode}.title`)} closeButtonProps={{ 'aria-label': t('servers.close') }}>
      <form className={classes['form']} onSubmit={(event) => void submit(event)}>
        <p className="g-muted">{t(`servers.unlock.${mode}.body`)}</p>
        <PasswordInput label={t('servers.unlock.passphrase')} description={mode === 'set_up' ? t('servers.unlock.length') : null} value={passphrase} onChange={(event) => setPassphrase(event.currentTarget.value)} autoComplete="off" data-autofocus />
        {mode === 'set_up' && <PasswordInput label={t('servers.unlock.again')} value={again} onChange={(event) => setAgain(event.currentTarget.value)} autoComplete="off" aria-invalid={again !== '' && differs} error={again !== '' && differs ? t('servers.unlock.differs') : null} />}
        {failure && <FaultView fault={failure} compact />}
        <div className={classes['foot']}>
          <Button type="submit" variant="filled" loading={busy} disabled={tooShort || differs}>
            {t(`servers.unlock.${mode}.submit`)}
          </Button>
          <Button variant="subtle" onClick={onCancel}>
            {t('servers.cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
