import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/result.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { saveText } from '../../parts/save-text.ts';

/** A result that the window shows a beginning of, saved whole: it comes in slices, never in one piece. */
export const SaveResult = ({ invocationId }: { readonly invocationId: string }): ReactElement => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Fault | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    const slices: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const answer: Result<OutputOf<'calls:wholeResult'>, Fault> = await bridge.request('calls:wholeResult', { invocationId, offset });
      if (!answer.ok) {
        setFailure(answer.error);
        break;
      }
      slices.push(answer.value.text);
      offset = answer.value.next;
      if (offset === null) saveText(`result-${invocationId}.json`, slices.join(''), 'application/json');
    }
    setBusy(false);
  };
  return (
    <div>
      <Button variant="default" size="compact-sm" disabled={busy} onClick={() => void save()}>{t(busy ? 'runs.saving_result' : 'runs.save_result')}</Button>
      {failure === null ? null : <><p>{t('runs.save_failed')}</p><FaultView fault={failure} compact /></>}
    </div>
  );
};
