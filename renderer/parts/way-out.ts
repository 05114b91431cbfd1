import { createContext } from 'react';

/** What the window can do about a fault at the place where it is shown: asks for the passphrase of the secret store; true once it is open. Null: nothing. */
export const AskForSecrets = createContext<(() => Promise<boolean>) | null>(null);
