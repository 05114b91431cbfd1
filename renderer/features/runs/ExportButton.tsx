import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { saveText } from '../../parts/save-text.ts';
import css from './RunPage.module.css';

/** Saves the run's evidence as JSON lines that can be verified without Gantry. */
export const ExportButton = ({ runId }: { readonly runId: string }): ReactElement => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const run = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    const answer = await bridge.request('runs:export', { runId });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    saveText(answer.value.fileName, answer.value.text, 'application/x-ndjson');
    setSaved(answer.value.fileName);
  };
  return (
    <>
      <Button loading={busy} onClick={() => void run()} title={t('runs.export_means')}>{t('runs.export')}</Button>
      <span role="status" className={saved === null ? css['spoken'] : css['saved']}>{saved === null ? '' : t('runs.exported', { name: saved })}</span>
      {fault === null ? null : <FaultView fault={fault} compact />}
    </>
  );
};
