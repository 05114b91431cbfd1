import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { fault, type Fault } from '../../../shared/fault.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useHealth } from '../../stores/health.ts';
import { UnlockDialog } from './UnlockDialog.tsx';

interface Asked {
  readonly mode: 'unlock' | 'set_up' | 'asking';
  readonly answer: (opened: boolean) => void;
}

/** `ensureOpen` resolves to true once a secret can be kept, asking for the passphrase where that is needed, and to false when the person turns back. */
export const useSecretStore = (): { readonly ensureOpen: () => Promise<Result<boolean, Fault>>; readonly dialog: ReactNode } => {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ensureOpen = useCallback(async (): Promise<Result<boolean, Fault>> => {
    const status = await bridge.request('secrets:status', {});
    if (!status.ok) return status;
    if (status.value.state === 'ready') return ok(true);
    if (status.value.state === 'unavailable') return err(fault('secret_store_unavailable', ''));
    const { state } = status.value;
    const mode = state === 'locked' ? 'unlock' : state === 'asking' ? 'asking' : 'set_up';
    return new Promise((resolve) => setAsked({ mode, answer: (opened) => resolve(ok(opened)) }));
  }, []);
  const end = (opened: boolean): void => {
    asked?.answer(opened);
    setAsked(null);
  };
  const told = useHealth((s) => (s.health.phase === 'ready' ? s.health.value.secrets.state : null));
  useEffect(() => {
    if (asked?.mode !== 'asking' || told === null || told === 'asking') return;
    setAsked(null);
    // the keychain has answered: it is open, or the passphrase is asked for after all
    void ensureOpen().then((opened) => asked.answer(opened.ok && opened.value));
  }, [asked, told, ensureOpen]);
  return { ensureOpen, dialog: asked && <UnlockDialog mode={asked.mode} onDone={() => end(true)} onCancel={() => end(false)} /> };
};
