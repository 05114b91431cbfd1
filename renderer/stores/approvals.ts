import { create } from 'zustand';
import type { Approval } from '../../shared/approval.ts';
import { loading, type Mirror } from './mirror.ts';

/** Mirror of `approvals:list`, every state. */
export const useApprovals = create<{ readonly approvals: Mirror<readonly Approval[]> }>(() => ({ approvals: loading() }));
