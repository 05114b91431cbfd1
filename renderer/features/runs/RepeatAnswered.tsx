import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../shared/contract/contract.ts';
import type { Fault } from '../../../shared/fault.ts';
import type { Result } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { href } from '../../routes.ts';
import { openApproval } from '../../stores/open-approval.ts';
import css from './RunPage.module.css';

type Answer = Result<OutputOf<'calls:sendAgain'>, Fault>;

/** A repeat that the first result answered: that nothing was sent, and the way to have it sent after all. */
export const RepeatAnswered = ({ invocationId }: { readonly invocationId: string }): ReactElement => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    const got: Answer = await bridge.request('calls:sendAgain', { invocationId });
    setAnswer(got);
    setBusy(false);
    if (got.ok && got.value.approvalId !== undefined) openApproval(got.value.approvalId);
  };
  return (
    <div className={css['repeat']}>
      <p>{t('runs.repeat.about')}</p>
      <Button variant="default" disabled={busy} onClick={() => void send()}>{t('runs.repeat.send')}</Button>
      <p className="g-small g-muted">{t('runs.repeat.asks')}</p>
      {answer?.ok === true ? <p role="status"><a href={href.call(answer.value.runId, answer.value.invocationId)}>{t('runs.repeat.open')}</a></p> : null}
      {answer?.ok === false ? <><p>{t('runs.repeat.not_made')}</p><FaultView fault={answer.error} compact /></> : null}
    </div>
  );
};
