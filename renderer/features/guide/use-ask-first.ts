import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CapabilityRow } from '../../../shared/capability.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useRequest } from '../../stores/use-request.ts';

/** `needed`: this tool's calls would run without a question; `asks`: a rule made here or elsewhere has them ask. */
export interface AskFirstState {
  readonly needed: boolean;
  readonly asks: boolean;
  readonly failure: Fault | null;
  readonly ask: () => Promise<void>;
}

/** Calls that only read are not asked about. For the exercise, one tool can be made to ask, by an ordinary rule that Settings shows and revokes. */
export const useAskFirst = (tool: CapabilityRow | null): AskFirstState => {
  const { t } = useTranslation();
  const [version, setVersion] = useState(0);
  const [failure, setFailure] = useState<Fault | null>(null);
  const { state } = useRequest('rules:list', {}, version);
  const reads = tool !== null && tool.tier === 'read_only';
  const asks = reads && state.phase === 'ready' && state.value.rules.some((rule) => rule.capabilityId === tool.id && rule.effect === 'ask' && rule.revokedAt === null);
  const ask = async (): Promise<void> => {
    if (tool === null) return;
    const answer = await bridge.request('rules:add', { effect: 'ask', capabilityId: tool.id, note: t('guide.ask.note') });
    setFailure(answer.ok ? null : answer.error);
    setVersion((before) => before + 1);
  };
  return { needed: reads && !asks, asks, failure, ask };
};
