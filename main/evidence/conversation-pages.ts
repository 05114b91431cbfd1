import type { OutputOf, ParsedInputOf } from '../../shared/contract/contract.ts';
import type { ConversationRun, WentAlong } from '../../shared/conversation.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Run } from '../../shared/run.ts';
import { agentRunsOf, agentRunsPage, withAgentFacts, type AgentRunRow } from '../store/agent-runs.ts';
import { findWords, getConversation, saidTerms } from '../store/conversations.ts';
import type { ReadStore } from '../store/read-only.ts';
import { getRun } from '../store/runs.ts';
import { wentAlong } from '../store/went-along.ts';
import { excerptOf, marksOf, nearWords } from './found-words.ts';

const MOST_WORDS = 20;

const runView = (row: AgentRunRow, run: Run | null, along: readonly WentAlong[]): ConversationRun => ({
  runId: row.runId, prompt: row.prompt, modelId: row.modelId, model: row.model, ...(run === null ? {} : { run: withAgentFacts(run, row) }), answer: row.answer, usage: row.requests === 0 ? null : row.usage,
  ...(along.length === 0 ? {} : { along: [...along] }),
});

/** Its newest questions, or those before one, oldest first. Errors: not_found (/conversationId, /before). */
export const conversationPage = (store: ReadStore, { conversationId, before, limit }: ParsedInputOf<'conversations:get'>): Result<OutputOf<'conversations:get'>, Fault> =>
  store.read((db) => {
    const conversation = getConversation(db, conversationId);
    if (conversation === null) return err(fault('not_found', 'There is no such conversation.', { field: '/conversationId' }));
    if (before !== undefined && agentRunsOf(db, [before]).get(before)?.conversationId !== conversationId) return err(fault('not_found', 'This conversation has no such question.', { field: '/before', remedy: 'Name a run of it.' }));
    const { rows, earlier } = agentRunsPage(db, conversationId, { before, limit });
    return ok({ conversation, runs: rows.map((row) => runView(row, getRun(db, row.runId), wentAlong(db, row.runId))), earlier });
  });

/** Conversations that hold every word; where none does, those of words that are spelt nearly so. */
export const conversationSearch = (store: ReadStore, { words, limit }: ParsedInputOf<'conversations:search'>): OutputOf<'conversations:search'> => {
  const wanted = words.split(/\s+/).filter((word) => word !== '').slice(0, MOST_WORDS);
  if (wanted.length === 0) return { found: [], instead: null };
  return store.read((db) => {
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
  });
};
