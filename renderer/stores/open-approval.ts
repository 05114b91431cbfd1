import { create } from 'zustand';

/** Which approval this window shows in its dialog: asked for by a click, an address, or a try-out made here. */
export const useOpenApproval = create<{ readonly approvalId: string | null }>(() => ({ approvalId: null }));
export const openApproval = (approvalId: string): void => useOpenApproval.setState({ approvalId });
export const closeApproval = (): void => useOpenApproval.setState({ approvalId: null });
