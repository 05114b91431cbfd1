import type { ReactElement } from 'react';
import { DataSection } from './DataSection.tsx';
import { HistorySection } from './HistorySection.tsx';
import { ReportSection } from './ReportSection.tsx';
import { ResetSection } from './ResetSection.tsx';

/** What Gantry keeps on this computer, and what can be done about it. */
export const DataSections = (): ReactElement => (
  <>
    <DataSection />
    <HistorySection />
    <ReportSection />
    <ResetSection />
  </>
);
