import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { useRequest } from '../../stores/use-request.ts';
import classes from './Guide.module.css';

/** Calls that only read are not asked about. For the exercise, one tool can be made to ask, by an ordinary rule that Settings shows and revokes. */
export function AskFirst({ tool }: { readonly tool: CapabilityRow | null }) {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [failure, setFailure] = useState<Fault | null>(null);
  const { state } = useRequest('rules:list', {}, version);
  if (tool === null || tool.tier !== 'read_only') return null;
  const asks = state.phase === 'ready' && state.value.rules.some((rule) => rule.capabilityId === tool.id && rule.effect === 'ask' && rule.revokedAt === null);
  const ask = async (): Promise<void> => {
    const answer = await bridge.request('rules:add', { effect: 'ask', capabilityId: tool.id, note: t('guide.ask.note') });
    setFailure(answer.ok ? null : answer.error);
    setVersion((before) => before + 1);
  };
  return (
    <div className={classes['ask']}>
      {asks ? (
        <p role="status">{t('guide.ask.asks', { name: tool.name })}</p>
      ) : (
        <>
          <p>{t('guide.ask.body')}</p>
          <Button onClick={() => void ask()}>{t('guide.ask.do', { name: tool.name })}</Button>
        </>
      )}
      {failure && <FaultView fault={failure} compact />}
    </div>
  );
}
