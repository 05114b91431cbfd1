import type { CallResult } from '../../shared/call.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { outcomeOf } from '../calls/call-outcome.ts';
import { fitResult, type FittedResult } from '../calls/result-fit.ts';
import { takenResults } from '../capabilities/routes/taken-results.ts';
import { WINDOW_BUDGET_BYTES } from '../evidence/result-preview.ts';
import { inTurns } from '../in-turns.ts';
import { agentRunsPage, labelsOf, runsBefore } from '../store/agent-runs.ts';
import { eventPage, PLACES, toEvent } from '../store/events.ts';
import { getInvocation } from '../store/invocations.ts';
import { READ_NAME } from './agent-call.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { ChosenModel } from './choose-model.ts';
import type { LabelledResult } from './citations.ts';
import { bytesOf } from './conversation-history.ts';
import { BRIEF_TYPES, earlierRun, HISTORY_TYPES, type EarlierQuestions, type EarlierRun, type FoundResult, type Untold } from './earlier-runs.ts';
import { toldOutcome } from './outcome-text.ts';
import { shownLine } from './shown-line.ts';

/** Of a result that no model was told of. */
const MOST_BYTES = 16_384;
const LATE = 'The run ended before this could be told; it is taken from the record.';

/** Of a large result its preview is at hand; its parts can be read. */
const fittedOf = (result: CallResult): FittedResult => {
  const isPreview = result.sizeBytes > WINDOW_BUDGET_BYTES;
  const fitted = fitResult(result, { textBytes: MOST_BYTES, isPreview }, result.exactNumbers);
  return isPreview ? { ...fitted, shortened: [{ part: '', shown: fitted.bodyBytes, of: result.sizeBytes, unit: 'characters' }, ...fitted.shortened] } : fitted;
};

const untold = (head: Readonly<Record<string, unknown>>): Untold => ({ text: shownLine(head).text, isError: true, isShortened: false });

/** What the record says of a call of which its model heard nothing, told as any other is: a result that came is kept, and what is not known is said. */
const foundIn = (model: ChosenModel, { store, line, categoryOnly, concealSettings }: AgentDeps): FoundResult => (invocationId) => {
  const row = invocationId === null ? null : store.read((db) => getInvocation(db, invocationId));
  if (row === null) return untold({ class: 'not_sent', code: 'cancelled', fact: 'The run ended before this call was made; nothing was sent.' });
  const serverId = parseCapabilityId(row.capabilityId)?.serverId ?? '';
  const source = { server: serverId, capability: row.capabilityId };
  if (row.endedAt === null) {
    const isOut = row.state === 'running';
    return untold({ class: isOut ? 'pending' : 'not_sent', code: row.state, fact: isOut ? 'The run ended; this call is still under way, and nothing is known of its outcome.' : 'The run ended; this call still waits for a person and may be sent later. Nothing was sent so far.', mayHaveRun: isOut, source });
  }
  const read = line.get(row.id);
  const result = read.ok ? read.value.result : null;
  const outcome = { ...outcomeOf(row, result), ...(result === null ? {} : { fitted: fittedOf(result) }) };
  return toldOutcome(outcome, { takes: takenResults(model), mediaLeftBytes: 0, readTool: READ_NAME, categoryOnly: categoryOnly(serverId), conceal: (text) => concealSettings(serverId, text), alternatives: [], capabilityId: row.capabilityId, late: LATE });
};

/** Questions of one conversation that are looked at. */
const MOST_RUNS = 200;

/** Questions whose labels are read in one go. */
const LABELS_OF = 100;

/**
 * The questions of a conversation before this run, as far as a request of so many bytes could carry them: the newest ones whole, those before them by question and last words,
 * older ones not at all. Those whose record was deleted are not there. Read in turns with other work: a conversation has no end.
 */
export const readEarlierRuns = (of: EarlierOf, deps: AgentDeps): Promise<EarlierQuestions> => inTurns(read(of, deps));

export interface EarlierOf {
  readonly conversationId: string;
  /** the run that they come before */
  readonly runId: string;
  readonly mostBytes: number;
  readonly model: ChosenModel;
}

function* read({ conversationId, runId: before, mostBytes, model }: EarlierOf, deps: AgentDeps): Generator<void, EarlierQuestions> {
  const { store } = deps;
  const found = foundIn(model, deps);
  const { rows, earlier } = store.read((db) => agentRunsPage(db, conversationId, { before, limit: MOST_RUNS }));
  yield;
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
    runs.unshift(isWhole ? run : { ...run, messages: run.brief, hasStored: false });
    yield;
  }
  const ids = firstWhole === undefined || (firstWhole === rows[0]?.runId && earlier === 0) ? [] : store.read((db) => runsBefore(db, conversationId, firstWhole));
  const results: LabelledResult[] = [];
  for (let at = 0; at < ids.length; at += LABELS_OF) {
    yield;
    results.push(...store.read((db) => labelsOf(db, conversationId, ids[at]!, ids[Math.min(at + LABELS_OF, ids.length) - 1]!)));
  }
  return { runs, unread: earlier + rows.length - runs.length, results };
}
