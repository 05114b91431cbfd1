/** The dialog comes when it is first opened, or beforehand when the window rests. */
export const loadApprovalDialog = (): Promise<typeof import('./ApprovalDialog.tsx')> => import('./ApprovalDialog.tsx');
