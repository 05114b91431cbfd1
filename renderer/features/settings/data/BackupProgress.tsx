import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useDataProgress } from './use-data-progress.ts';

const STEPS = ['database', 'verify', 'write', 'unpack'];

/** How far the making or the reading of a backup is, in words. */
export const BackupProgress = ({ job }: { readonly job: 'backup' | 'read_backup' }): ReactElement => {
  const { t } = useTranslation();
  const progress = useDataProgress(job, true);
  const step = progress !== null && STEPS.includes(progress.step) ? progress.step : 'start';
  return <p role="status" className="g-small g-muted">{t(`data.backup.working.${step}`, { done: progress?.done ?? 0, total: progress?.total ?? 0 })}</p>;
};
