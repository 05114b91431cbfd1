import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { AgentRunner } from '../agent/agent-runner.ts';
import type { Bus } from '../bus.ts';
import { withoutHiddenText } from '../capabilities/hidden-text.ts';
import type { EvidenceLane } from '../evidence/evidence-lane.ts';
import { deleteConversation, listConversations, renameConversation } from '../store/conversations.ts';
import type { Store } from '../store/database.ts';
import type { HandlersOf } from './handlers.ts';

const noConversation = () => err(fault('not_found', 'There is no such conversation.', { field: '/conversationId' }));

/** In one line, without what a reader does not see: it stands in lists, beside titles of others. */
const visibleTitle = (title: string): string => withoutHiddenText(title).replace(/\s+/g, ' ').trim().toWellFormed();

export const conversationsRequests = ({ store, runPages, agent, bus }: { readonly store: Store; /** what is long is read beside the host's thread */ readonly runPages: Pick<EvidenceLane, 'conversation' | 'conversations'>; readonly agent: AgentRunner; readonly bus: Bus }): HandlersOf<'conversations'> => ({
  'conversations:list': (page) => {
    const { conversations, total } = store.read((db) => listConversations(db, page));
    return ok({ conversations: [...conversations], total });
  },
  'conversations:get': (query) => runPages.conversation(query),
  'conversations:search': (query) => runPages.conversations(query),
  'conversations:rename': ({ conversationId, title }) => {
    const shown = visibleTitle(title);
    if (shown === '') return err(fault('invalid_request', 'Nothing of this title can be seen.', { field: '/title', remedy: 'Give one with letters that show.' }));
    if (!store.write((db) => renameConversation(db, conversationId, shown))) return noConversation();
    bus.emit('conversations:changed', { conversationId });
    return ok({});
  },
  'conversations:remove': ({ conversationId }) => {
    if (agent.isBusy(conversationId)) return err(fault('conflict', 'A question of this conversation is still being answered.', { field: '/conversationId', remedy: 'Stop it first.', details: { state: 'running' } }));
    if (!store.write((db) => deleteConversation(db, conversationId))) return noConversation();
    bus.emit('conversations:changed', { conversationId });
    return ok({});
  },
});
