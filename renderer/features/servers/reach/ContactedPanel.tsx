import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Contact } from '../../../../shared/outbound.ts';
import type { ServerDetail } from '../../../../shared/server.ts';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { TimeText } from '../../../parts/TimeText.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { act } from '../../../stores/act.ts';
import { useRequest } from '../../../stores/use-request.ts';
import classes from './Reach.module.css';

const Row = ({ one }: { readonly one: Contact }) => {
  const { t } = useTranslation();
  const dialled = one.address !== null ? <span className="g-mono"><UntrustedText text={one.address} maxLength={80} /></span> : <span className="g-muted">{t(one.via === null ? 'servers.reach.notReached' : 'servers.reach.byProxy')}</span>;
  return (
    <tr>
      <th scope="row">
        <span className="g-mono"><UntrustedText text={`${one.host}:${one.port}`} maxLength={200} /></span>
        {one.via !== null && <span className="g-muted g-small"> {t('servers.reach.via', { via: one.via })}</span>}
      </th>
      <td>{t(`servers.reach.reason.${one.purpose}`)}</td>
      <td>{dialled}</td>
      <td>{one.count}</td>
      <td><TimeText at={one.lastAt} /></td>
    </tr>
  );
};

/** Whom the host contacted for a server, with where the names led, and what the person agreed to about them (N11). */
export function ContactedPanel({ server }: { readonly server: ServerDetail }) {
  const { t } = useTranslation();
  const { state, reload } = useRequest('servers:contacted', { serverId: server.id }, `${server.state} ${server.addressAgreements.length}`);
  return (
    <section className="g-panel" aria-label={t('servers.reach.title')}>
      <h2 className="g-heading">{t('servers.reach.title')}</h2>
      <p className="g-muted g-small">{t(server.spec.kind === 'http' ? 'servers.reach.about.remote' : 'servers.reach.about.program')}</p>
      {server.addressAgreements.map(({ host, kind }) => (
        <p key={`${host} ${kind}`} className={classes['agreed']}>
          <span>{t(`servers.reach.agreed.${kind}`, { host })}</span>
          <Button size="compact-sm" variant="subtle" onClick={() => void act('servers:agree-address', { serverId: server.id, host, kind: null })}>{t('servers.reach.takeBack')}</Button>
        </p>
      ))}
      <LoadedView of={state} what={t('servers.reach.reading')} rows={2} retry={reload}>
        {({ contacted }) =>
          contacted.length === 0 ? (
            <p>{t('servers.reach.nobody')}</p>
          ) : (
            <div className={classes['scroll']} tabIndex={0} role="group" aria-label={t('servers.reach.title')}>
              <table className={classes['table']}>
                <thead><tr>{(['whom', 'reason', 'address', 'count', 'last'] as const).map((column) => <th key={column} scope="col">{t(`servers.reach.column.${column}`)}</th>)}</tr></thead>
                <tbody>{contacted.map((one) => <Row key={`${one.purpose} ${one.host} ${one.port} ${one.via}`} one={one} />)}</tbody>
              </table>
            </div>
          )
        }
      </LoadedView>
    </section>
  );
}
