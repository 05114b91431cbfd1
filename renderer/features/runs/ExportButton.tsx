import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import css from './RunPage.module.css';

const download = (fileName: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

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
    download(answer.value.fileName, answer.value.text);
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
