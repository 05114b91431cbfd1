import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { ServerDetail } from '../../../shared/server.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import classes from './Form.module.css';
import { QuarantineReport } from './QuarantineReport.tsx';

type Report = OutputOf<'servers:quarantine'>;

/** Names what is lost before it happens; then says what the server could read and which secrets to rotate. */
export function QuarantineDialog({ server, onClose }: { readonly server: ServerDetail; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const quarantine = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('servers:quarantine', { serverId: server.id, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
    setBusy(false);
    if (answer.ok) setReport(answer.value);
    else setFailure(answer.error);
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t(report ? 'servers.quarantine.doneTitle' : 'servers.quarantine.title', { name: server.name })} closeButtonProps={{ 'aria-label': t('servers.close') }}>
      {report ? (
        <div className={classes['form']}>
          <QuarantineReport report={report} />
          <div className={classes['foot']}>
            <Button onClick={onClose} data-autofocus>
              {t('servers.close')}
            </Button>
          </div>
        </div>
      ) : (
        <div className={classes['form']}>
          <p>{t('servers.quarantine.lost')}</p>
          <ul>
            <li>{t('servers.quarantine.lostProcess')}</li>
            {server.grantedCount > 0 && <li>{t('servers.quarantine.lostGrants', { count: server.grantedCount })}</li>}
            <li>{t('servers.quarantine.kept')}</li>
          </ul>
          <TextInput label={t('servers.quarantine.reason')} description={t('servers.quarantine.reasonAbout')} value={reason} onChange={(event) => setReason(event.currentTarget.value)} maxLength={500} />
          {failure && <FaultView fault={failure} compact />}
          <div className={classes['foot']}>
            <Button color="danger" variant="outline" loading={busy} onClick={() => void quarantine()}>
              {t('servers.quarantine.do')}
            </Button>
            <Button variant="subtle" onClick={onClose}>
              {t('servers.cancel')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
