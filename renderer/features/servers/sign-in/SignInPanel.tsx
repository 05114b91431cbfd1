import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import type { ServerDetail } from '../../../../shared/server.ts';
import type { PendingSignIn, SignIn } from '../../../../shared/sign-in.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { FaultView } from '../../../parts/FaultView.tsx';
import { TimeText } from '../../../parts/TimeText.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { act } from '../../../stores/act.ts';
import { ClientForm } from './ClientForm.tsx';
import classes from '../ServerPage.module.css';
import { agreeableOrigin, signInNeed } from './sign-in-need.ts';
import { useSecretStore } from '../use-secret-store.tsx';

/** Signing in to a remote server: what is missing with the one step that mends it, the sign-in that waits, or who is signed in. */
export function SignInPanel({ server, signIn }: { readonly server: ServerDetail; readonly signIn: SignIn }) {
  if (signIn.pending !== null) return <Waiting serverId={server.id} pending={signIn.pending} />;
  const need = signInNeed(server);
  if (need !== null) return <Needed server={server} signIn={signIn} need={need} />;
  return signIn.account === null || signIn.account.ended !== null ? null : <SignedIn serverId={server.id} account={signIn.account} />;
}

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }) => (
  <span className="g-mono">
    <UntrustedText text={scopes.join(' ')} maxLength={600} />
  </span>
);

function Waiting({ serverId, pending }: { readonly serverId: string; readonly pending: PendingSignIn }) {
  const { t } = useTranslation();
  const stop = <Button onClick={() => void act('servers:sign-in-cancel', { serverId })}>{t('servers.signIn.stop')}</Button>;
  if (pending.step === 'finishing') {
    return (
      <section className={`g-panel ${classes['next']}`} role="status">
        <p>{t('servers.signIn.finishing')}</p>
        <div className={classes['buttons']}>{stop}</div>
      </section>
    );
  }
  return (
    <section className={`g-panel ${classes['block']} ${classes['loud']}`} aria-label={t('servers.signIn.title')}>
      <h2 className="g-heading">{t('servers.signIn.title')}</h2>
      <p>
        {t('servers.signIn.leadsTo')} <strong className="g-mono">{pending.host}</strong>
      </p>
      {pending.changedFrom !== null && <p className={classes['notice']} role="alert"><strong>{t('servers.signIn.changed')}</strong> <UntrustedText text={pending.changedFrom} maxLength={300} /></p>}
      <p className="g-muted g-small">
        {t('servers.signIn.issuer')} <span className="g-mono"><UntrustedText text={pending.issuer} maxLength={300} /></span>
        {pending.tokenHost !== pending.host && <> · {t('servers.signIn.tokens')} <span className="g-mono">{pending.tokenHost}</span></>}
      </p>
      {pending.scopes.length > 0 && <p className="g-small">{t('servers.signIn.asks')} <Scopes scopes={pending.scopes} /></p>}
      {pending.newScopes.length > 0 && <p className="g-small">{t('servers.signIn.new')} <Scopes scopes={pending.newScopes} /></p>}
      <p className="g-muted g-small" role="status">{t('servers.signIn.waits')}<TimeText at={pending.until} /></p>
      <div className={classes['actions']}>
        <Button variant="filled" component="a" href={pending.address} target="_blank" rel="noreferrer noopener">
          {t('servers.signIn.open')}
        </Button>
        <CopyButton text={pending.address} name={t('servers.signIn.address')} words={t('servers.signIn.copy')} />
        {stop}
      </div>
    </section>
  );
}

function Needed({ server, signIn, need }: { readonly server: ServerDetail; readonly signIn: SignIn; readonly need: NonNullable<ReturnType<typeof signInNeed>> }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [ownClient, setOwnClient] = useState(false);
  const { ensureOpen, dialog } = useSecretStore();
  const [refusal, setRefusal] = useState<Fault | null>(null);
  const { failure } = signIn;
  const shown = failure ?? refusal ?? need.fault;
  const origin = agreeableOrigin(shown);
  const opened = async (): Promise<boolean> => {
    const answer = await ensureOpen();
    return answer.ok && answer.value;
  };
  // of a sign-in that was begun the host keeps why it failed, for every window; one that was not begun is told here alone
  const begin = async (agree?: string): Promise<void> => {
    if (!(await opened())) return;
    setBusy(true);
    const answer = await bridge.request('servers:sign-in', { serverId: server.id, ...(agree === undefined ? {} : { agree }) });
    setBusy(false);
    setRefusal(answer.ok || answer.error.code === 'cancelled' ? null : answer.error);
    if (!answer.ok && answer.error.code === 'client_id_required') setOwnClient(true);
  };
  const asksClient = ownClient || failure?.code === 'client_id_required';
  return (
    <section className={`g-panel ${classes['block']} ${classes['loud']}`} aria-label={t('servers.signIn.title')}>
      <h2 className="g-heading">{t(`servers.signIn.need.${need.why}`, { at: need.host === null ? '' : t('servers.signIn.at', { host: need.host }) })}</h2>
      {need.scopes.length > 0 && <p className="g-small">{t('servers.signIn.missing')} <Scopes scopes={need.scopes} /></p>}
      {shown === null ? <p className="g-muted">{t('servers.signIn.about')}</p> : <FaultView fault={shown} compact />}
      {asksClient && <ClientForm serverId={server.id} signIn={signIn} ensureOpen={opened} onSaved={() => { setOwnClient(false); void begin(); }} onCancel={() => setOwnClient(false)} />}
      {!asksClient && (
        <div className={classes['actions']} style={{ marginTop: 12 }}>
          {origin === null ? (
            <Button variant="filled" loading={busy} onClick={() => void begin()}>{t('servers.signIn.begin')}</Button>
          ) : (
            <Button variant="filled" loading={busy} onClick={() => void begin(origin)}>{t('servers.signIn.agree', { origin })}</Button>
          )}
          <Button variant="subtle" onClick={() => setOwnClient(true)}>{t('servers.signIn.client.open')}</Button>
        </div>
      )}
      {dialog}
    </section>
  );
}

function SignedIn({ serverId, account }: { readonly serverId: string; readonly account: NonNullable<SignIn['account']> }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const signOut = async (): Promise<void> => {
    setBusy(true);
    await act('servers:sign-out', { serverId });
    setBusy(false);
  };
  return (
    <section className={`g-panel ${classes['next']}`} aria-label={t('servers.signIn.title')}>
      <div>
        <p>
          {t('servers.signIn.signedIn')} <span className="g-mono">{account.host}</span> · <TimeText at={account.since} />
        </p>
        <p className="g-muted g-small">
          {account.scopes.length > 0 && <>{t('servers.signIn.granted')} <Scopes scopes={account.scopes} /> · </>}
          {t(account.renewable ? 'servers.signIn.renews' : account.expiresAt === null ? 'servers.signIn.untilRefused' : 'servers.signIn.ends')}
          {!account.renewable && account.expiresAt !== null && <TimeText at={account.expiresAt} />}
        </p>
      </div>
      <Button loading={busy} onClick={() => void signOut()}>{t('servers.signIn.out')}</Button>
    </section>
  );
}
