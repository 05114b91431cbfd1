import { create } from 'zustand';

/** Those of this window that wait until the secret store is open; one dialog asks for all of them. */
export const useSecretAsk = create<{ readonly waiting: readonly ((opened: boolean) => void)[] }>(() => ({ waiting: [] }));

/** True once the secret store is open, false when the person turns back. */
export const askForSecrets = (): Promise<boolean> => new Promise((answer) => useSecretAsk.setState(({ waiting }) => ({ waiting: [...waiting, answer] })));

export const answerSecretAsk = (opened: boolean): void => {
  const { waiting } = useSecretAsk.getState();
  useSecretAsk.setState({ waiting: [] });
  for (const answer of waiting) answer(opened);
};
