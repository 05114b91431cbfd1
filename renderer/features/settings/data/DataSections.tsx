import type { ReactElement } from 'react';
import { BackupSection } from './BackupSection.tsx';
import { DataSection } from './DataSection.tsx';
import { HistorySection } from './HistorySection.tsx';
import { ReportSection } from './ReportSection.tsx';
import { ResetSection } from './ResetSection.tsx';

/** What Gantry keeps on this computer, and what can be done about it. */
export const DataSections = (): ReactElement => (
  <>
    <div data-section="data"><DataSection /></div>
    <div data-section="backup"><BackupSection /></div>
    <div data-section="history"><HistorySection /></div>
    <div data-section="report"><ReportSection /></div>
    <div data-section="reset"><ResetSection /></div>
  </>
);
