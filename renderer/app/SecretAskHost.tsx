import { useEffect } from 'react';
import { useSecretStore } from '../features/servers/use-secret-store.tsx';
import { answerSecretAsk, useSecretAsk } from '../stores/secret-ask.ts';

/** Asks for the passphrase, or for the first one, when something of this window waits for it. */
export function SecretAskHost() {
  const { ensureOpen, dialog } = useSecretStore();
  const waits = useSecretAsk((state) => state.waiting.length > 0);
  useEffect(() => {
    if (waits) void ensureOpen().then((opened) => answerSecretAsk(opened.ok && opened.value));
  }, [waits, ensureOpen]);
  return dialog;
}
