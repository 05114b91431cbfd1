import type { CallResult } from '../../shared/call.ts';
import { agentRunsOfConversation } from '../store/agent-runs.ts';
import { eventPage, PLACES, toEvent } from '../store/events.ts';
import { getInvocation } from '../store/invocations.ts';
import type { AgentDeps } from './agent-deps.ts';
import { earlierRun, HISTORY_TYPES, type EarlierRun, type FoundResult } from './earlier-runs.ts';
import { shownLine } from './shown-line.ts';

/** Of a result that no model was told of. */
const MOST_CHARACTERS = 16_384;

const wordsOf = ({ content, structuredContent }: CallResult): string => {
  const text = shownLine(structuredContent === undefined ? { content } : { content, structuredContent }).text;
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS).toWellFormed()} [shortened, ${MOST_CHARACTERS} of ${text.length} characters]`;
};

/** What the record says of a call of which its model heard nothing: a result that came is kept, and what is not known is said. */
const foundIn = ({ store, line }: AgentDeps): FoundResult => (invocationId) => {
  const row = invocationId === null ? null : store.read((db) => getInvocation(db, invocationId));
  if (row === null) return { text: shownLine({ class: 'not_sent', code: 'cancelled', fact: 'The run ended before this call was made; nothing was sent.' }).text, isError: true };
  const read = row.state === 'completed' ? line.get(row.id) : null;
  if (read?.ok && read.value.result !== null) return { text: `${shownLine({ class: row.class, fact: 'The run ended before this result could be told; it is taken from the record.' }).text}\n${wordsOf(read.value.result)}`, isError: false };
  return { text: shownLine({ class: row.class ?? row.state, code: row.code, fact: row.fault?.message ?? 'The run ended before an answer came.', mayHaveRun: row.code === 'outcome_unknown' || row.code === 'timeout' }).text, isError: true };
};

/** The earlier questions of a conversation, oldest first; those whose record was deleted are not there. */
export const readEarlierRuns = (conversationId: string, deps: AgentDeps): readonly EarlierRun[] => {
  const { store } = deps;
  const found = foundIn(deps);
  return store.read((db) => agentRunsOfConversation(db, conversationId)).map(({ runId }, i) => {
    const { rows } = store.read((db) => eventPage(db, runId, { types: [...HISTORY_TYPES], offset: 0, limit: PLACES }));
    return earlierRun(i + 1, runId, rows.map(toEvent), found);
  });
};
