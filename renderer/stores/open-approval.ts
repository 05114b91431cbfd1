import { create } from 'zustand';

/** Which approval this window shows in its dialog, and whether it was opened by a try-out of this window. */
export const useOpenApproval = create<{ readonly approvalId: string | null }>(() => ({ approvalId: null }));
export const openApproval = (approvalId: string): void => useOpenApproval.setState({ approvalId });
export const closeApproval = (): void => useOpenApproval.setState({ approvalId: null });
