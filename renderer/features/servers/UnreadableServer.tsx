import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FaultView } from '../../parts/FaultView.tsx';
import type { ShownFault } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import classes from './Form.module.css';
import { RemoveDialog } from './RemoveDialog.tsx';

/** A server whose stored row cannot be read: why, and the one thing that can be done here. */
export function UnreadableServer({ serverId, fault }: { readonly serverId: string; readonly fault: ShownFault }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
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
      {asking && <RemoveDialog serverId={serverId} name={serverId} lost={[t('servers.remove.lostUnread')]} onClose={() => setAsking(false)} />}
    </div>
  );
}
