import { useEffect, useState } from 'react';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRequest } from '../../stores/use-request.ts';

/** Tools that a principal may use (granted, and within the scope of its profile where it has one) and those of them whose servers can be asked now, as its funnel counts them. */
export interface ToolsOf {
  readonly allowed: number;
  readonly ready: number;
}

/** Null until it is known; while it is counted anew the last numbers stay. */
export const useToolsOf = (principal: string): ToolsOf | null => {
  const revision = useCapabilities((s) => s.revision);
  const { state } = useRequest('funnel:get', { principal }, revision);
  const [last, setLast] = useState<(ToolsOf & { readonly principal: string }) | null>(null);
  useEffect(() => {
    if (state.phase !== 'ready' || state.value.principal !== principal) return;
    const { stages } = state.value;
    const may = stages.find(({ stage, evaluated }) => stage === 'in_scope' && evaluated) ?? stages.find(({ stage }) => stage === 'granted');
    const fresh = stages.find(({ stage, evaluated }) => stage === 'fresh_healthy' && evaluated) ?? may;
    const tools = (ids: readonly string[]): number => ids.filter((id) => parseCapabilityId(id)?.kind === 'tool').length;
    if (may !== undefined && fresh !== undefined) setLast({ principal, allowed: tools(may.capabilityIds), ready: tools(fresh.capabilityIds) });
  }, [state, principal]);
  return last?.principal === principal ? last : null;
};
