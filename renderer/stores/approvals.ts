import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { Approval, ApprovalRow } from '../../shared/approval.ts';
import { bridge } from '../bridge/bridge.ts';
import { useHealth } from './health.ts';
import { loading, type Mirror } from './mirror.ts';

interface Approvals {
  /** those that wait, the first to expire first */
  readonly approvals: Mirror<readonly ApprovalRow[]>;
  /** grows with each that ends, for lists of those that ended to hang on */
  readonly ended: number;
}
/** Mirror of `approvals:page` of those that wait. */
export const useApprovals = create<Approvals>(() => ({ approvals: loading(), ended: 0 }));

/** One that changed: it waits, or waits no longer. */
export const withApproval = (waiting: readonly ApprovalRow[], approval: ApprovalRow): readonly ApprovalRow[] => {
  const others = waiting.filter((one) => one.id !== approval.id);
  return approval.state === 'pending' ? [...others, approval].sort((a, b) => a.expiresAt - b.expiresAt) : others;
};

/** One approval whole, as it is now; undefined while none is asked for or it is being read. */
export const useApproval = (approvalId: string | null): Approval | undefined => {
  const [approval, setApproval] = useState<Approval | undefined>(undefined);
  const connection = useHealth((health) => health.connection);
  useEffect(() => {
    if (approvalId === null || connection === 'lost') return undefined;
    let current = true;
    const end = bridge.on('approval:changed', (event) => {
      if (event.approval.id === approvalId) setApproval(event.approval);
    });
    void bridge.request('approvals:get', { approvalId }).then((answer) => {
      if (current && answer.ok) setApproval(answer.value.approval);
    });
    return () => {
      current = false;
      end();
    };
  }, [approvalId, connection]);
  return approval?.id === approvalId ? approval : undefined;
};
