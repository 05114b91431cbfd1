import { useMemo, useSyncExternalStore } from 'react';
import type { Mirror } from '../../stores/mirror.ts';
import { useApprovals } from '../../stores/approvals.ts';
import { useCapabilities } from '../../stores/capabilities.ts';
import { useRuns } from '../../stores/runs.ts';
import { useServers } from '../../stores/servers.ts';
import { useRequest } from '../../stores/use-request.ts';
import { guideServer, guideSteps, guideTool, type GuideStep } from './guide-steps.ts';
import type { CapabilityRow } from '../../../shared/capability.ts';

const KEY = 'gantry.guide.evidenceRead';
const CHANGED = 'gantry:evidence-read';

/** Remembers in this browser or window that a run's page was opened; the host has no such fact. */
export const markEvidenceRead = (): void => {
  if (localStorage.getItem(KEY) !== null) return;
  localStorage.setItem(KEY, '1');
  window.dispatchEvent(new Event(CHANGED));
};

const listen = (changed: () => void): (() => void) => {
  window.addEventListener(CHANGED, changed);
  return () => window.removeEventListener(CHANGED, changed);
};
const values = <T>(mirror: Mirror<readonly T[]>): readonly T[] => (mirror.phase === 'ready' ? mirror.value : []);

/** The steps as they stand; `known` is false until the host has told everything they hang on. */
export const useGuide = (): { readonly steps: readonly GuideStep[]; readonly known: boolean; readonly tool: CapabilityRow | null } => {
  const servers = useServers((state) => state.servers);
  const revision = useCapabilities((state) => state.revision);
  const about = guideServer(values(servers))?.id ?? '';
  const { state: capabilities } = useRequest('capabilities:rows', { serverId: about }, revision);
  const approvals = useApprovals((state) => state.approvals);
  const endedCount = useApprovals((state) => state.ended);
  const { state: ended } = useRequest('approvals:page', { of: 'ended', limit: 200 }, endedCount);
  const runs = useRuns((state) => state.runs);
  const evidenceRead = useSyncExternalStore(listen, () => localStorage.getItem(KEY) !== null);
  return useMemo(() => {
    const facts = { servers: values(servers), capabilities: capabilities.phase === 'ready' ? capabilities.value.rows : [], approvals: [...values(approvals), ...(ended.phase === 'ready' ? ended.value.rows : [])], runs: values(runs), evidenceRead };
    return { steps: guideSteps(facts), known: [servers, capabilities, approvals, ended, runs].every((mirror) => mirror.phase !== 'loading'), tool: guideTool(facts) };
  }, [servers, capabilities, approvals, ended, runs, evidenceRead]);
};
