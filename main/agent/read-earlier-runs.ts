import type { CallResult } from '../../shared/call.ts';
import { agentRunsPage, labelsBefore } from '../store/agent-runs.ts';
import { eventPage, PLACES, toEvent } from '../store/events.ts';
import { getInvocation } from '../store/invocations.ts';
import type { AgentDeps } from './agent-deps.ts';
import { bytesOf } from './conversation-history.ts';
import { BRIEF_TYPES, earlierRun, HISTORY_TYPES, type EarlierQuestions, type EarlierRun, type FoundResult } from './earlier-runs.ts';
import { shownLine } from './shown-line.ts';
import { sourceWords } from './source-words.ts';

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
  return { text: shownLine({ class: row.class ?? row.state, code: row.code, fact: row.fault === null ? 'The run ended before an answer came.' : (sourceWords(row.fault) ?? row.fault.message), mayHaveRun: row.code === 'outcome_unknown' || row.code === 'timeout' }).text, isError: true };
};

/** Questions of one conversation that are looked at. */
const MOST_RUNS = 200;

/**
 * The earlier questions of a conversation as far as a request of so many bytes could carry them: the newest ones whole, those before them by question and last words,
 * older ones not at all. Those whose record was deleted are not there.
 */
export const readEarlierRuns = (conversationId: string, mostBytes: number, deps: AgentDeps): EarlierQuestions => {
  const { store } = deps;
  const found = foundIn(deps);
  const { rows, earlier } = store.read((db) => agentRunsPage(db, conversationId, { limit: MOST_RUNS }));
  const runs: EarlierRun[] = [];
  let whole = 0;
  let brief = 0;
  let firstWhole: string | undefined;
  for (const [i, { runId }] of [...rows.entries()].toReversed()) {
    if (brief > mostBytes) break;
    const isWhole = whole <= mostBytes;
    const types = [...(isWhole ? HISTORY_TYPES : BRIEF_TYPES)];
    const run = earlierRun(earlier + i + 1, runId, store.read((db) => eventPage(db, runId, { types, offset: 0, limit: PLACES })).rows.map(toEvent), found);
    if (isWhole) firstWhole = runId;
    whole += isWhole ? bytesOf(run.messages) : 0;
    brief += bytesOf(run.brief);
    runs.unshift(isWhole ? run : { ...run, messages: run.brief });
  }
  const results = firstWhole === undefined || (firstWhole === rows[0]?.runId && earlier === 0) ? [] : store.read((db) => labelsBefore(db, conversationId, firstWhole));
  return { runs, unread: earlier + rows.length - runs.length, results };
};
