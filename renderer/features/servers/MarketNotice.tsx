import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { MarketEntry } from '../../../shared/market.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { href } from '../../routes.ts';
import { useRequest } from '../../stores/use-request.ts';
import classes from './ServerPage.module.css';
import { updateOf } from './catalog-update.ts';

/** What the market says of the app that this server is: withdrawn by its publisher, or there in a newer version. Nothing where it says neither, or cannot be asked. */
export function MarketNotice({ server, entryId }: { readonly server: ServerDetail; readonly entryId: string }) {
  const { state } = useRequest('market:get', { entryId }, `${server.state} ${JSON.stringify(server.spec)} ${server.installation?.version ?? ''}`);
  if (state.phase !== 'ready') return null;
  const { entry } = state.value;
  return (
    <>
      {entry.withdrawn && <Withdrawn withdrawn={entry.withdrawn} />}
      <Update server={server} entry={entry} />
    </>
  );
}

function Withdrawn({ withdrawn }: { readonly withdrawn: NonNullable<MarketEntry['withdrawn']> }) {
  const { t, i18n } = useTranslation();
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`${withdrawn.since}T00:00:00Z`));
  return (
    <div role="note" className={classes['notice']}>
      <strong>{t('servers.market.withdrawn', { on: day })}</strong>{' '}
      <UntrustedText text={i18n.language === 'zh' ? withdrawn.reason.zh : withdrawn.reason.en} maxLength={600} /> {t('servers.market.withdrawnStill')}{' '}
      {withdrawn.instead !== undefined && <a href={href.marketEntry(withdrawn.instead)}>{t('servers.market.instead', { id: withdrawn.instead })}</a>}
    </div>
  );
}

/** The newer version, what of the launch it changes, and the act that puts it in place. What then would run is shown side by side and asked for, as after every change. */
function Update({ server, entry }: { readonly server: ServerDetail; readonly entry: MarketEntry }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const update = updateOf(server, entry);
  if (update === null) return null;
  const install = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const answer = await bridge.request('servers:update', { serverId: server.id, ...update.change });
    setBusy(false);
    if (!answer.ok && answer.error.code !== 'install_cancelled') setFailure(answer.error);
  };
  return (
    <section className={`g-panel ${classes['next']}`} aria-label={t('servers.market.update', { version: update.to })}>
      <div>
        <p>
          <strong>{t('servers.market.update', { version: update.to })}</strong> {t('servers.market.present', { version: update.from })}
        </p>
        <p className="g-muted">
          {t('servers.market.changes')}{' '}
          <code className="g-mono">
            <UntrustedText text={update.before} />
          </code>{' '}
          →{' '}
          <code className="g-mono">
            <UntrustedText text={update.after} />
          </code>
        </p>
        <p className="g-muted g-small">{t(server.spec.kind === 'npm' ? 'servers.market.thenNpm' : 'servers.market.thenAsk')}</p>
        {failure && (
          <>
            <p>{t('servers.update.kept', { version: update.from })}</p>
            <FaultView fault={failure} compact />
          </>
        )}
      </div>
      <Button variant="filled" loading={busy} disabled={server.status.state === 'installing' || server.quarantinedAt !== null} onClick={() => void install()}>
        {t('servers.market.install')}
      </Button>
    </section>
  );
}
