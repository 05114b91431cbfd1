import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import classes from './Form.module.css';

/** Removing cannot be undone: the dialog names what goes and what stays. */
export function RemoveDialog({ serverId, name, lost, onClose }: { readonly serverId: string; readonly name: string; readonly lost: readonly string[]; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('servers:remove', { serverId });
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error);
    location.hash = href.servers();
  };
  return (
    <Modal opened onClose={onClose} title={t('servers.remove.title', { name })} closeButtonProps={{ 'aria-label': t('servers.close') }}>
      <div className={classes['form']}>
        <p>{t('servers.remove.lost')}</p>
        <ul>
          {lost.map((words) => <li key={words}>{words}</li>)}
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
