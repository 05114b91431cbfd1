import { useRef, useState } from 'react';
import type { Approval } from '../../../shared/approval.ts';
import type { Fault } from '../../../shared/fault.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useArmed } from '../../parts/use-armed.ts';
import { useNow } from '../../parts/use-now.ts';
import { approveGate, denyGate, type Gate } from './decision-gate.ts';

export interface Decision {
  readonly approve: Gate;
  readonly deny: Gate;
  readonly expired: boolean;
  readonly leftMs: number;
  readonly fault: Fault | null;
  /** decided here, by this press */
  readonly mine: boolean;
  readonly onEndSeen: () => void;
  /** true where the host took it */
  readonly decide: (decision: 'approve' | 'deny', reason?: string) => Promise<boolean>;
}

/** One approval's decision, wherever it is drawn: the arm delay, the whole input seen where it is risky, the hash that the person saw, once. */
export const useDecision = (approval: Approval): Decision => {
  const armed = useArmed(approval.id);
  const now = useNow(1000);
  const [endSeen, setEndSeen] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const [mine, setMine] = useState(approval.state !== 'pending');
  const deciding = useRef(false);
  const facts = { state: approval.state, tier: approval.tier, armed, endSeen, busy, expired: now >= approval.expiresAt };
  const approve = approveGate(facts);
  const deny = denyGate(facts);
  const decide = async (decision: 'approve' | 'deny', reason = ''): Promise<boolean> => {
    const gate = decision === 'approve' ? approve : deny;
    if (!gate.open || deciding.current) return false;
    deciding.current = true;
    setBusy(true);
    setMine(true);
    setFault(null);
    const answer = await bridge.request('approvals:decide', { approvalId: approval.id, decision, inputHash: approval.inputHash, ...(decision === 'deny' && reason.trim() !== '' ? { reason: reason.trim() } : {}) });
    deciding.current = false;
    setBusy(false);
    if (!answer.ok) setFault(answer.error);
    return answer.ok;
  };
  return { approve, deny, expired: facts.expired, leftMs: approval.expiresAt - now, fault, mine, onEndSeen: () => setEndSeen(true), decide };
};
