import { useEffect, useMemo, useState } from 'react';
import type { InputOf, OutputOf } from '../../../shared/contract/contract.ts';
import { bridge } from '../../bridge/bridge.ts';
import type { Mirror } from '../../stores/mirror.ts';
import { useRequest } from '../../stores/use-request.ts';

/** Grows when the host has told of a conversation, or of a run of one. */
const useConversationNews = (conversationId: string | null, runIds: ReadonlySet<string>): number => {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const later = (): void => setVersion((before) => before + 1);
    const ends = [
      bridge.on('conversations:changed', (event) => { if (conversationId === null || event.conversationId === conversationId) later(); }),
      bridge.on('run:changed', ({ run }) => { if (run.kind === 'agent' && (conversationId === null || runIds.has(run.id)) && (run.endedAt !== null || run.state === 'awaiting_approval')) later(); }),
    ];
    return () => ends.forEach((end) => end());
  }, [conversationId, runIds]);
  return version;
};

const NO_RUNS: ReadonlySet<string> = new Set();

/** All conversations, the one used last first; or those that have the words. */
export const useConversations = (words: string) => {
  const version = useConversationNews(null, NO_RUNS);
  const all = useRequest('conversations:list', { limit: 200 }, version);
  const found = useRequest('conversations:search', { words: words.slice(0, 500).toWellFormed() || ' ', limit: 50 }, version);
  return { all, found: words.trim() === '' ? null : found };
};

/** Questions that one more reading brings, and that are read at most: older ones stand in the history. */
const PAGE = 50;
const MOST_RUNS = 500;

/** One conversation with its newest questions; read again when the host tells of it. `readEarlier`: null where no more are read. */
export const useConversation = (conversationId: string): { readonly state: Mirror<OutputOf<'conversations:get'>>; readonly reload: () => void; readonly readEarlier: (() => void) | null } => {
  const [runIds, setRunIds] = useState(NO_RUNS);
  const [limit, setLimit] = useState(PAGE);
  const version = useConversationNews(conversationId, runIds);
  const { state, reload } = useRequest('conversations:get', { conversationId, limit }, version);
  const [read, setRead] = useState(state);
  useEffect(() => {
    if (state.phase !== 'loading') setRead(state);
    if (state.phase === 'ready') setRunIds(new Set(state.value.runs.map(({ runId }) => runId)));
  }, [state]);
  // while more of it is read, what is there stays
  const stays = state.phase === 'loading' && read.phase === 'ready' && read.value.conversation.id === conversationId;
  return { state: stays ? read : state, reload, readEarlier: limit < MOST_RUNS ? () => setLimit((before) => before + PAGE) : null };
};

/** Models and profiles, read again when they change. */
export const useChoices = () => {
  const [version, setVersion] = useState(0);
  useEffect(() => bridge.on('models:changed', () => setVersion((before) => before + 1)), []);
  const models = useRequest('models:list', {}, version);
  const profiles = useRequest('profiles:list', {}, version);
  return useMemo(() => ({ models, profiles }), [models, profiles]);
};

export type Attached = Extract<NonNullable<InputOf<'agent:run'>['attachments']>[number], { readonly kind: 'file' }>;
