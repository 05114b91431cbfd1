import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import classes from './Form.module.css';

/** Removing cannot be undone: the dialog names what goes and what stays. */
export function RemoveDialog({ server, onClose }: { readonly server: ServerDetail; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const secrets = [...Object.values(server.env), ...Object.values(server.headers), ...server.args].filter((value) => typeof value !== 'string' && 'secretRef' in value).length;
  const remove = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('servers:remove', { serverId: server.id });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error);
    location.hash = href.servers();
  };
  return (
    <Modal opened onClose={onClose} title={t('servers.remove.title', { name: server.name })} closeButtonProps={{ 'aria-label': t('servers.close') }}>
      <div className={classes['form']}>
        <p>{t('servers.remove.lost')}</p>
        <ul>
          {server.installation && <li>{t('servers.remove.lostFiles')}</li>}
          <li>{t('servers.remove.lostConfiguration', { count: secrets })}</li>
          {server.grantedCount > 0 && <li>{t('servers.remove.lostGrants', { count: server.grantedCount })}</li>}
          {server.home === 'own' && server.spec.kind !== 'http' && <li>{t('servers.remove.lostHome')}</li>}
        </ul>
        <p>{t('servers.remove.kept')}</p>
        {failure && <FaultView fault={failure} compact />}
        <div className={classes['foot']}>
          <Button color="danger" variant="outline" loading={busy} onClick={() => void remove()}>
            {t('servers.remove.do')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t('servers.cancel')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
