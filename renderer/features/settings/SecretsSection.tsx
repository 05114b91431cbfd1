import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { SecretStoreStatus } from '../../../shared/settings.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { TimeText } from '../../parts/TimeText.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useHealth } from '../../stores/health.ts';
import { useServers } from '../../stores/servers.ts';
import { useRequest } from '../../stores/use-request.ts';
import { PassphraseForm } from './PassphraseForm.tsx';
import { replaceSecret } from './replace-secret.ts';
import css from './Settings.module.css';
import { FaultView } from '../../parts/FaultView.tsx';
import type { Fault } from '../../../shared/fault.ts';

interface SecretRow {
  readonly ref: string;
  readonly serverId: string;
  readonly place: string;
  readonly updatedAt: number;
}

const Secret = ({ secret, locked, onReplaced }: { readonly secret: SecretRow; readonly locked: boolean; readonly onReplaced: () => void }): ReactElement => {
  const { t } = useTranslation();
  const servers = useServers((s) => s.servers);
  const server = servers.phase === 'ready' ? servers.value.find((s) => s.id === secret.serverId) : undefined;
  const [value, setValue] = useState<string | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const [kind = '', ...rest] = secret.place.split('.');
  const name = rest.join('.');
  const replaceable = kind === 'env' || kind === 'header' || kind === 'placeholder';
  const send = async (): Promise<void> => {
    if (value === null || value === '') return;
    setBusy(true);
    const answer = await replaceSecret(secret.serverId, kind, name, value);
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    setValue(null);
    setFault(null);
    onReplaced();
  };
  return (
    <li className={css['secret']}>
      <div className={css['secretHead']}>
        <span className={css['secretName']}><a href={href.server(secret.serverId)}><UntrustedText text={server?.name ?? secret.serverId} maxLength={80} /></a> · {t(`settings.secrets.place.${['env', 'header', 'arg', 'placeholder', 'model', 'embeddings', 'proxy', 'npm'].includes(kind) ? kind : 'other'}`)} <code><UntrustedText text={name} maxLength={80} /></code></span>
        <span className="g-small g-muted">{t('settings.secrets.set')} <TimeText at={secret.updatedAt} /></span>
        {value === null ? <Button disabled={locked || !replaceable} title={replaceable ? undefined : t('settings.secrets.replace_elsewhere')} onClick={() => setValue('')} aria-label={t('settings.secrets.replace_name', { name })}>{t('settings.secrets.replace')}</Button> : null}
      </div>
      {value === null ? null : (
        <form className={css['replace']} onSubmit={(e) => { e.preventDefault(); void send(); }}>
          <PasswordInput size="xs" className={css['grow']!} autoFocus autoComplete="off" aria-label={t('settings.secrets.new_value')} placeholder={t('settings.secrets.new_value')} value={value} onChange={(e) => setValue(e.currentTarget.value)} visibilityToggleButtonProps={{ 'aria-label': t('settings.secrets.show') }} />
          <Button type="submit" color="accent" variant="outline" loading={busy} disabled={value === ''}>{t('settings.secrets.save')}</Button>
          <Button onClick={() => { setValue(null); setFault(null); }}>{t('settings.secrets.cancel')}</Button>
        </form>
      )}
      {fault === null ? null : <FaultView fault={fault} compact />}
    </li>
  );
};

const Status = ({ status, onChanged }: { readonly status: SecretStoreStatus; readonly onChanged: () => void }): ReactElement => {
  const { t } = useTranslation();
  return (
    <>
      <p className={css['secretState']} data-state={status.state}>{t(`settings.secrets.state.${status.state}`)} {status.provider === 'none' ? null : <span className="g-muted">{t(`settings.secrets.provider.${status.provider}`)}</span>}</p>
      {status.state === 'asking' && status.count === 0 ? <p className={css['hint']}>{t('settings.secrets.orPassphrase')}</p> : null}
      {status.state === 'not_set_up' || (status.state === 'asking' && status.count === 0) ? <PassphraseForm mode="set" onDone={onChanged} /> : null}
      {status.state === 'locked' ? <PassphraseForm mode="unlock" onDone={onChanged} /> : null}
      {status.state === 'ready' && status.provider === 'passphrase' ? <PassphraseForm mode="change" onDone={onChanged} /> : null}
    </>
  );
};

/** How secrets are kept, and which there are by server and place. A value can be replaced and is never shown. */
export const SecretsSection = (): ReactElement => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const stored = useHealth((s) => (s.health.phase === 'ready' ? s.health.value.secrets : null));
  const { state, reload } = useRequest('secrets:status', {}, `${version} ${stored?.state ?? ''} ${stored?.count ?? ''}`);
  const list = useRequest('secrets:list', {}, `${version} ${stored?.count ?? ''}`);
  const changed = (): void => setVersion((v) => v + 1);
  const locked = state.phase !== 'ready' || state.value.state !== 'ready';
  return (
    <section className="g-panel" aria-label={t('app.section.secrets')}>
      <h2 className="g-heading">{t('app.section.secrets')}</h2>
      <LoadedView of={state} what={t('settings.secrets.reading')} rows={2} retry={reload}>{(status) => <Status status={status} onChanged={changed} />}</LoadedView>
      <LoadedView of={list.state} what={t('settings.secrets.reading')} rows={2} retry={list.reload}>
        {({ secrets }) => (secrets.length === 0 ? <p className="g-small g-muted">{t('settings.secrets.none')}</p> : <ul className={css['secrets']}>{secrets.map((s) => <Secret key={s.ref} secret={s} locked={locked} onReplaced={changed} />)}</ul>)}
      </LoadedView>
    </section>
  );
};
