import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../../shared/fault.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { FaultView } from '../../../parts/FaultView.tsx';
import { saveText } from '../../../parts/save-text.ts';
import { sizeWords } from '../../../parts/size-words.ts';
import { useLanguage } from '../../../parts/use-language.ts';
import css from './Data.module.css';

/** The report is shown whole before it can be saved. */
export const ReportSection = (): ReactElement => {
  const { t } = useTranslation();
  const lang = useLanguage();
  const [report, setReport] = useState<{ readonly fileName: string; readonly text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    setBusy(true);
    setFault(null);
    setSaved(null);
    const answer = await bridge.request('report:make', {});
    setBusy(false);
    if (answer.ok) setReport(answer.value);
    else setFault(answer.error);
  };
  const save = (): void => {
    if (report === null) return;
    saveText(report.fileName, report.text, 'application/json');
    setSaved(report.fileName);
  };
  return (
    <section className="g-panel" aria-label={t('app.section.report')}>
      <h2 className="g-heading">{t('app.section.report')}</h2>
      <p className={css['hint']}>{t('data.report.means')}</p>
      <div className={css['line']}>
        <Button loading={busy} onClick={() => void make()}>{report === null ? t('data.report.make') : t('data.report.make_again')}</Button>
        <span role="status" className="g-small g-muted">{busy ? t('data.report.making') : ''}</span>
      </div>
      {fault === null ? null : <FaultView fault={fault} compact />}
      {report === null ? null : (
        <>
          <pre className={css['report']} tabIndex={0} aria-label={t('data.report.whole')} lang="en">{report.text}</pre>
          <div className={css['foot']}>
            <Button color="accent" variant="outline" onClick={save}>{t('data.report.save')}</Button>
            <CopyButton text={report.text} name={t('data.report.whole')} />
            <span role="status" className="g-small g-muted">{saved === null ? t('data.report.lines', { lines: report.text.split('\n').length - 1, size: sizeWords(new Blob([report.text]).size, lang) }) : t('data.report.saved', { name: saved })}</span>
          </div>
        </>
      )}
    </section>
  );
};
