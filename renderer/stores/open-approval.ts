import { create } from 'zustand';

/** Which approval this window shows in its dialog: asked for by a click, an address, or a try-out made here. */
export const useOpenApproval = create<{ readonly approvalId: string | null }>(() => ({ approvalId: null }));

/** Approvals that the page itself shows whole, where their calls stand: nothing else needs to announce them. */
export const useShownApprovals = create<{ readonly ids: readonly string[] }>(() => ({ ids: [] }));
/** Returns what ends it. */
export const showsApproval = (approvalId: string): (() => void) => {
  useShownApprovals.setState(({ ids }) => ({ ids: [...ids, approvalId] }));
  return () => useShownApprovals.setState(({ ids }) => ({ ids: ids.filter((id) => id !== approvalId) }));
};

export const openApproval = (approvalId: string): void => useOpenApproval.setState({ approvalId });
export const closeApproval = (): void => useOpenApproval.setState({ approvalId: null });
