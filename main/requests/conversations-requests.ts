import type { ConversationRun, WentAlong } from '../../shared/conversation.ts';
import { fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import type { AgentRunner } from '../agent/agent-runner.ts';
import type { Bus } from '../bus.ts';
import { withoutHiddenText } from '../capabilities/hidden-text.ts';
import { agentRunsOf, agentRunsPage, type AgentRunRow } from '../store/agent-runs.ts';
import { deleteConversation, findWords, getConversation, listConversations, renameConversation, saidTerms } from '../store/conversations.ts';
import type { Store } from '../store/database.ts';
import { getRun } from '../store/runs.ts';
import { wentAlong } from '../store/went-along.ts';
import { withAgentFacts } from './agent-facts.ts';
import { excerptOf, marksOf, nearWords } from './found-words.ts';
import type { HandlersOf } from './handlers.ts';

const noConversation = () => err(fault('not_found', 'There is no such conversation.', { field: '/conversationId' }));

/** In one line, without what a reader does not see: it stands in lists, beside titles of others. */
const visibleTitle = (title: string): string => withoutHiddenText(title).replace(/\s+/g, ' ').trim().toWellFormed();

const runView = (row: AgentRunRow, run: Run | null, along: readonly WentAlong[]): ConversationRun => ({
  runId: row.runId, prompt: row.prompt, modelId: row.modelId, model: row.model, ...(run === null ? {} : { run: withAgentFacts(run, row) }), answer: row.answer, usage: row.requests === 0 ? null : row.usage,
  ...(along.length === 0 ? {} : { along: [...along] }),
});

export const conversationsRequests = ({ store, agent, bus }: { readonly store: Store; readonly agent: AgentRunner; readonly bus: Bus }): HandlersOf<'conversations'> => ({
  'conversations:list': (page) => {
    const { conversations, total } = store.read((db) => listConversations(db, page));
    return ok({ conversations: [...conversations], total });
  },
  'conversations:get': ({ conversationId, before, limit }) => {
    const conversation = store.read((db) => getConversation(db, conversationId));
    if (conversation === null) return noConversation();
    if (before !== undefined && store.read((db) => agentRunsOf(db, [before])).get(before)?.conversationId !== conversationId) return err(fault('not_found', 'This conversation has no such question.', { field: '/before', remedy: 'Name a run of it.' }));
    return ok(
      store.read((db) => {
        const { rows, earlier } = agentRunsPage(db, conversationId, { before, limit });
        return { conversation, runs: rows.map((row) => runView(row, getRun(db, row.runId), wentAlong(db, row.runId))), earlier };
      }),
    );
  },
  'conversations:search': ({ words, limit }) => {
    const wanted = words.split(/\s+/).filter((word) => word !== '').slice(0, 20);
    if (wanted.length === 0) return ok({ found: [], instead: null });
    return ok(store.read((db) => {
      const exact = findWords(db, wanted, limit);
      const instead = exact.length > 0 ? null : nearWords(wanted, saidTerms(db));
      const asked = instead ?? wanted;
      const found = (instead === null ? exact : findWords(db, asked, limit)).flatMap(({ conversationId, runId, text }) => {
        const conversation = getConversation(db, conversationId);
        if (conversation === null) return [];
        const excerpt = excerptOf(text, asked);
        return [{ conversation, runId, excerpt, marks: marksOf(excerpt, asked), titleMarks: marksOf(conversation.title, asked) }];
      });
      return { found, instead: found.length === 0 || instead === null ? null : instead.join(' ') };
    }));
  },
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
