import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import type { Run } from '../../../shared/run.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import css from './RunPage.module.css';

/** Deletes this run after saying what is lost. One with an unknown outcome says so first. */
export const DeleteRunButton = ({ run, unknown }: { readonly run: Pick<Run, 'id'>; /** nobody knows whether one of its calls happened */ readonly unknown: boolean }): ReactElement => {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const remove = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.request('history:delete', { select: { runIds: [run.id] }, includeOutcomeUnknown: unknown });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    location.hash = href.runs();
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('data.history.one.delete')}</Button>
      {asking ? (
        <Modal opened onClose={() => setAsking(false)} title={t('data.history.one.title')} closeButtonProps={{ 'aria-label': t('data.history.cancel') }}>
          {unknown ? <p className="g-awaits">{t('data.history.one.unknown')}</p> : null}
          <p>{t('data.history.lost')}</p>
          {fault === null ? null : <FaultView fault={fault} compact />}
          <div className={css['foot']}>
            <Button color="danger" variant="outline" loading={busy} onClick={() => void remove()}>{t('data.history.do')}</Button>
            <Button variant="subtle" onClick={() => setAsking(false)}>{t('data.history.cancel')}</Button>
          </div>
        </Modal>
      ) : null}
    </>
  );
};
