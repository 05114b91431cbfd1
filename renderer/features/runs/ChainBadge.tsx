import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import css from './RunPage.module.css';

type Chain =
  | { readonly phase: 'unchecked' }
  | { readonly phase: 'checking' }
  | { readonly phase: 'good'; readonly events: number }
  | { readonly phase: 'bad'; readonly seq: number; readonly reason: string; readonly table?: string | undefined }
  | { readonly phase: 'failed'; readonly fault: Fault };

/** Table and column as they lie in the store; which row it is stands in the reason. */
const tableOf = (place: { readonly table: string; readonly field?: string | undefined } | undefined): string | undefined =>
  place && (place.field === undefined ? place.table : `${place.table}.${place.field}`);

/** Whether the run's hash chain holds: checked by the host when the run has ended and on request, never assumed. */
export const ChainBadge = ({ runId, eventCount, ended }: { readonly runId: string; readonly eventCount: number; readonly ended: boolean }): ReactElement => {
  const { t } = useTranslation();
  const [chain, setChain] = useState<Chain>({ phase: 'unchecked' });
  const verify = useCallback(async () => {
    setChain({ phase: 'checking' });
    const answer = await bridge.request('runs:verify', { runId });
    if (!answer.ok) setChain({ phase: 'failed', fault: answer.error });
    else if (answer.value.ok) setChain({ phase: 'good', events: answer.value.events });
    else setChain({ phase: 'bad', seq: answer.value.firstBad?.seq ?? 0, reason: answer.value.firstBad?.reason ?? '', table: tableOf(answer.value.firstBad?.place) });
  }, [runId]);
  useEffect(() => {
    if (ended) void verify();
    else setChain({ phase: 'unchecked' });
  }, [ended, eventCount, verify]);
  if (chain.phase === 'failed') return <FaultView fault={chain.fault} compact retry={() => void verify()} />;
  if (chain.phase === 'unchecked') return <Button onClick={() => void verify()}>{t('runs.chain.verify')}</Button>;
  return (
    <span role="status" className={css['chain']} data-phase={chain.phase}>
      {chain.phase === 'checking' ? t('runs.chain.checking') : null}
      {chain.phase === 'good' ? <><svg width="11" height="11" viewBox="0 0 11 11" fill="none" stroke="currentColor" strokeWidth="1.7" aria-hidden="true"><path d="m1.5 6 2.6 2.6L9.6 2.8" /></svg>{t('runs.chain.good', { count: chain.events })}</> : null}
      {chain.phase === 'bad' ? <>{chain.table === undefined ? t('runs.chain.bad', { seq: chain.seq }) : t('runs.chain.beside', { seq: chain.seq, table: chain.table })}<UntrustedText text={chain.reason} maxLength={160} /></> : null}
      {chain.phase === 'checking' ? null : <button type="button" className={css['again']} onClick={() => void verify()}>{t('runs.chain.again')}</button>}
    </span>
  );
};
