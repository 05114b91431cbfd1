import { useEffect, useState } from 'react';
import { loadApprovalDialog } from '../features/approvals/load-approval-dialog.ts';
import { loadQuestionDialog } from '../features/questions/load-question-dialog.ts';
import { later } from '../parts/later.tsx';
import { useFailedActs } from '../stores/act.ts';
import { useOverlay } from '../stores/overlay.ts';
import { useSecretAsk } from '../stores/secret-ask.ts';
import { useSettings } from '../stores/settings.ts';
import { PageBoundary } from './PageBoundary.tsx';

const loadSearch = () => import('./search/SearchEverything.tsx');
const loadKeys = () => import('./KeysDialog.tsx');
const loadMessages = () => import('./Messages.tsx');
const loadSecretAsk = () => import('./SecretAskHost.tsx');
const SearchEverything = later(() => loadSearch().then((m) => m.SearchEverything));
const KeysDialog = later(() => loadKeys().then((m) => m.KeysDialog));
const SecretAskHost = later(() => loadSecretAsk().then((m) => m.SecretAskHost));
const Messages = later(() => loadMessages().then((m) => m.Messages));

/** After the first data, so that what can wait does not compete with the first page. */
const REST_MS = 1_000;

/** What a window needs only when it is asked for: fetched once the window rests, or at once when it is wanted. */
export function LaterParts() {
  const rested = useRested();
  const overlay = useOverlay((state) => state.shown);
  const failed = useFailedActs((state) => state.failed.length > 0);
  const search = useFetched(loadSearch, rested, overlay === 'search');
  const keys = useFetched(loadKeys, rested, overlay === 'keys');
  const asksForSecrets = useSecretAsk((state) => state.waiting.length > 0);
  const secretAsk = useFetched(loadSecretAsk, rested, asksForSecrets);
  const messages = useFetched(loadMessages, rested, failed);
  useEffect(() => {
    // one that cannot be fetched now is fetched when it is wanted
    if (rested) for (const load of [loadApprovalDialog, loadQuestionDialog]) void load().catch(() => {});
  }, [rested]);
  return (
    <PageBoundary>
      {search && <SearchEverything />}
      {keys && <KeysDialog />}
      {secretAsk && <SecretAskHost />}
      {messages && <Messages />}
    </PageBoundary>
  );
}

/** True from when the part is there or wanted. One that cannot be fetched while the window rests is fetched again when it is wanted. */
const useFetched = (load: () => Promise<unknown>, rested: boolean, wanted: boolean): boolean => {
  const [drawn, setDrawn] = useState(wanted);
  if (wanted && !drawn) setDrawn(true);
  useEffect(() => {
    if (rested) void load().then(() => setDrawn(true)).catch(() => {});
  }, [load, rested]);
  return drawn || wanted;
};

const useRested = (): boolean => {
  const known = useSettings((state) => state.settings.phase === 'ready');
  const [rested, setRested] = useState(false);
  useEffect(() => {
    if (!known) return undefined;
    let idle = 0;
    const timer = setTimeout(() => {
      idle = requestIdleCallback(() => setRested(true));
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      cancelIdleCallback(idle);
    };
  }, [known]);
  return rested;
};
