import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Contact, OutboundAddress } from '../../../../shared/outbound.ts';
import { LoadedView } from '../../../parts/LoadedView.tsx';
import { UntrustedText } from '../../../parts/UntrustedText.tsx';
import { useRequest } from '../../../stores/use-request.ts';
import css from './Network.module.css';

const Row = ({ one, contacted }: { readonly one: OutboundAddress; readonly contacted: readonly Contact[] }): ReactElement => {
  const { t, i18n } = useTranslation();
  const words = `settings.network.contacts.address.${one.purpose}`;
  const now = one.addresses.length > 0 ? one.addresses.map((address) => <code key={address}><UntrustedText text={address} maxLength={200} /></code>) : i18n.exists(words) ? t(words) : <span className="g-muted">{t('settings.network.contacts.none')}</span>;
  return (
    <tr>
      <th scope="row">{t(`settings.network.contacts.reason.${one.purpose}`)}</th>
      <td>{t(`settings.network.contacts.when.${one.purpose}`)}</td>
      <td>{now}</td>
      <td>
        {contacted.length === 0 ? <span className="g-muted">{t('settings.network.contacts.never')}</span> : contacted.map((seen) => (
          <span key={`${seen.host} ${seen.port} ${seen.via} ${seen.serverId}`} className={css['contact']}>
            <code><UntrustedText text={`${seen.host}:${seen.port}`} maxLength={200} /></code> {t('settings.network.contacts.times', { count: seen.count })}{seen.via === null ? null : <span className="g-muted"> {t('settings.network.contacts.via', { via: seen.via })}</span>}
          </span>
        ))}
      </td>
    </tr>
  );
};

/** The one table of every reason to contact anybody, with what was contacted. */
export const ContactsSection = ({ version }: { readonly version: string }): ReactElement => {
  const { t } = useTranslation();
  const { state, reload } = useRequest('network:addresses', {}, version);
  return (
    <section className={css['part']} aria-label={t('settings.network.contacts.title')}>
      <h3>{t('settings.network.contacts.title')}</h3>
      <p className={css['hint']}>{t('settings.network.contacts.means')}</p>
      <LoadedView of={state} what={t('settings.network.reading')} rows={4} retry={reload}>
        {({ addresses, contacted }) => (
          <div className={css['scroll']} tabIndex={0} role="group" aria-label={t('settings.network.contacts.title')}>
            <table className={css['table']}>
              <thead><tr>{(['reason', 'when', 'address', 'contacted'] as const).map((column) => <th key={column} scope="col">{t(`settings.network.contacts.column.${column}`)}</th>)}</tr></thead>
              <tbody>{addresses.map((one) => <Row key={one.purpose} one={one} contacted={contacted.filter(({ purpose }) => purpose === one.purpose)} />)}</tbody>
            </table>
          </div>
        )}
      </LoadedView>
    </section>
  );
};
