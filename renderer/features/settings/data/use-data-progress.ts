import { useEffect, useState } from 'react';
import type { DataProgress } from '../../../../shared/data.ts';
import { bridge } from '../../../bridge/bridge.ts';

/** How far a job on the data is, as the host tells it; null before the first word, and when `running` ends. */
export const useDataProgress = (job: DataProgress['job'], running: boolean): DataProgress | null => {
  const [progress, setProgress] = useState<DataProgress | null>(null);
  useEffect(() => {
    setProgress(null);
    if (!running) return undefined;
    return bridge.on('data:progress', (told) => {
      if (told.job === job) setProgress(told);
    });
  }, [job, running]);
  return progress;
};
