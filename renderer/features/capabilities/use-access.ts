import { useCallback, useState } from 'react';
import type { Fault } from '../../../shared/fault.ts';
import { BUILT_IN_AGENT } from '../../../shared/principal.ts';
import { bridge } from '../../bridge/bridge.ts';

export type AccessOutcome =
  | { readonly phase: 'idle' }
  | { readonly phase: 'busy' }
  | { readonly phase: 'failed'; readonly fault: Fault }
  | { readonly phase: 'done'; readonly allowed: boolean; readonly changed: number; readonly ids: readonly string[]; readonly skipped: readonly { readonly capabilityId: string; readonly reason: string }[] };

/** Agent Access of the built-in agent for the named capabilities, with what came of it. */
export const useAccess = (): { readonly outcome: AccessOutcome; /** resolves to whether it was done */ readonly set: (ids: readonly string[], allowed: boolean) => Promise<boolean>; readonly forget: () => void } => {
  const [outcome, setOutcome] = useState<AccessOutcome>({ phase: 'idle' });
  const set = useCallback(async (ids: readonly string[], allowed: boolean) => {
    setOutcome({ phase: 'busy' });
    const answer = await bridge.request('access:set', { principal: BUILT_IN_AGENT, capabilityIds: [...ids], allowed });
    if (!answer.ok) {
      setOutcome({ phase: 'failed', fault: answer.error });
      return false;
    }
    const { changed, skipped } = answer.value;
    const left = new Set(skipped.map((s) => s.capabilityId));
    setOutcome({ phase: 'done', allowed, changed, skipped, ids: ids.filter((id) => !left.has(id)) });
    return changed > 0;
  }, []);
  const forget = useCallback(() => setOutcome({ phase: 'idle' }), []);
  return { outcome, set, forget };
};
