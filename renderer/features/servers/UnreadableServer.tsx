import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import type { ShownFault } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import classes from './Form.module.css';

/** A server whose stored row cannot be read: why, and the one thing that can be done here. */
export function UnreadableServer({ serverId, fault }: { readonly serverId: string; readonly fault: ShownFault }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
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
    <div className={classes['form']}>
      <h1 className="g-title">{serverId}</h1>
      <FaultView fault={fault} />
      <div className={classes['foot']}>
        <Button color="danger" variant="outline" onClick={() => setAsking(true)}>
          {t('servers.remove.open')}
        </Button>
        <Button component="a" variant="subtle" href={href.servers()}>
          {t('servers.gone.go')}
        </Button>
      </div>
      <Modal opened={asking} onClose={() => setAsking(false)} title={t('servers.remove.title', { name: serverId })} closeButtonProps={{ 'aria-label': t('servers.close') }}>
        <div className={classes['form']}>
          <p>{t('servers.remove.lost')}</p>
          <ul>
            <li>{t('servers.remove.lostUnread')}</li>
          </ul>
          <p>{t('servers.remove.kept')}</p>
          {failure && <FaultView fault={failure} compact />}
          <div className={classes['foot']}>
            <Button color="danger" variant="outline" loading={busy} onClick={() => void remove()}>
              {t('servers.remove.do')}
            </Button>
            <Button variant="subtle" onClick={() => setAsking(false)}>
              {t('servers.cancel')}
            </Button>
          </div>
        </div>
      </Modal>
    </div>
  );
}
