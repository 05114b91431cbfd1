import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { SignIn } from '../../../../shared/sign-in.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { FaultView } from '../../../parts/FaultView.tsx';
import classes from '../Form.module.css';

interface ClientFormProps {
  readonly serverId: string;
  readonly signIn: SignIn;
  readonly ensureOpen: () => Promise<boolean>;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

/** The client id that a person got where they registered Gantry by hand; its secret is sealed and never shown again. */
export function ClientForm({ serverId, signIn, ensureOpen, onSaved, onCancel }: ClientFormProps) {
  const { t } = useTranslation();
  const [clientId, setClientId] = useState(signIn.ownClient?.clientId ?? '');
  const [secret, setSecret] = useState('');
  const [port, setPort] = useState(signIn.ownClient?.port === null || signIn.ownClient === null ? '' : String(signIn.ownClient.port));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const unfitPort = port !== '' && !(/^\d{4,5}$/.test(port) && Number(port) >= 1024 && Number(port) <= 65_535);
  const address = port === '' || unfitPort ? signIn.redirectAddress : `http://127.0.0.1:${port}/callback`;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (clientId.trim() === '' || unfitPort) return;
    if (secret !== '' && !(await ensureOpen())) return;
    setBusy(true);
    const answer = await bridge.request('servers:sign-in-client', { serverId, client: { clientId, ...(secret === '' ? {} : { clientSecret: { secret } }), ...(port === '' ? {} : { port: Number(port) }) } });
    setBusy(false);
    setFailure(answer.ok ? null : answer.error);
    if (answer.ok) onSaved();
  };
  return (
    <form className={classes['form']} onSubmit={(event) => void save(event)} aria-label={t('servers.signIn.client.title')}>
      <p className="g-muted g-small">
        {t('servers.signIn.client.register')} <code className="g-mono">{address}</code> <CopyButton text={address} name={t('servers.signIn.client.address')} />
      </p>
      <TextInput label={t('servers.signIn.client.id')} value={clientId} onChange={(event) => setClientId(event.currentTarget.value)} autoComplete="off" required />
      <PasswordInput label={t('servers.signIn.client.secret')} description={t('servers.signIn.client.secretAbout')} value={secret} onChange={(event) => setSecret(event.currentTarget.value)} autoComplete="off" />
      <TextInput label={t('servers.signIn.client.port')} description={t('servers.signIn.client.portAbout')} value={port} onChange={(event) => setPort(event.currentTarget.value.trim())} inputMode="numeric" error={unfitPort ? t('servers.signIn.client.portUnfit') : null} />
      {failure && <FaultView fault={failure} compact />}
      <div className={classes['foot']}>
        <Button type="submit" variant="filled" loading={busy} disabled={clientId.trim() === '' || unfitPort}>
          {t('servers.signIn.client.save')}
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          {t('servers.cancel')}
        </Button>
      </div>
    </form>
  );
}
