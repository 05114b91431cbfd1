/** The dialog comes when it is first opened, or beforehand when the window rests. */
export const loadQuestionDialog = (): Promise<typeof import('./QuestionDialog.tsx')> => import('./QuestionDialog.tsx');
