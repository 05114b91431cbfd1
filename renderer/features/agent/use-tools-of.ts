import { useEffect, useState } from 'react';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';

/** How many tools a principal may use: granted, and within the scope of its profile where it has one, as its funnel counts them. Null until it is known; while it is counted anew the last number stays. */
export const useToolsOf = (principal: string): number | null => {
  const revision = useCapabilities((s) => s.revision);
  const { state } = useRequest('funnel:get', { principal }, revision);
  const [last, setLast] = useState<{ readonly principal: string; readonly count: number } | null>(null);
  useEffect(() => {
    if (state.phase !== 'ready' || state.value.principal !== principal) return;
    const { stages } = state.value;
    const may = stages.find(({ stage, evaluated }) => stage === 'in_scope' && evaluated) ?? stages.find(({ stage }) => stage === 'granted');
    if (may !== undefined) setLast({ principal, count: may.capabilityIds.filter((id) => parseCapabilityId(id)?.kind === 'tool').length });
  }, [state, principal]);
  return last?.principal === principal ? last.count : null;
};
