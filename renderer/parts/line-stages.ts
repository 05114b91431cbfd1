import { CALL_STAGES } from '../../shared/call-stages.ts';
import type { CallStage, Invocation } from '../../shared/call.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import { isHeldAfterYes } from './queued-calls.ts';
import { STAGE_OF_CODE, stoppedAt } from '../../shared/stopped-at.ts';

/** done: passed. active: under way. awaits: a person has to decide. stopped: it ended here. open: never reached. */
export type StageMark = 'done' | 'active' | 'awaits' | 'stopped' | 'uncertain' | 'open';

export interface StageView {
  readonly stage: CallStage;
  readonly mark: StageMark;
  readonly events: readonly EvidenceEvent[];
}

/** The part of an invocation that the line needs; an approval or an outcome can make one too. */
export type LineInvocation = Pick<Invocation, 'state' | 'stage' | 'code' | 'class'> & Partial<Pick<Invocation, 'startedAt'>>;

const STAGE_OF_EVENT: Readonly<Record<string, CallStage>> = {
  'call.planned': 'plan',
  'call.normalized': 'normalize',
  'call.keyed': 'normalize',
  'call.policy': 'policy',
  'call.repeat_waits': 'policy',
  'call.repeated': 'policy',
  'approval.asked': 'approve',
  'approval.decided': 'approve',
  'approval.edited': 'approve',
  'approval.expired': 'approve',
  'approval.voided': 'approve',
  'approval.consumed': 'approve',
  'call.intent': 'dispatch',
  'call.progress': 'dispatch',
  'question.input_required': 'dispatch',
  'question.asked': 'dispatch',
  'question.refused': 'dispatch',
  'question.opened': 'dispatch',
  'question.model_asked': 'dispatch',
  'question.model_request': 'dispatch',
  'question.model_reply': 'dispatch',
  'question.model_failed': 'dispatch',
  'question.model_replied': 'dispatch',
  'question.answered': 'dispatch',
  'question.voided': 'dispatch',
  'question.roots': 'dispatch',
  'question.round': 'dispatch',
  'question.completed': 'evidence',
  'call.retry': 'dispatch',
  'call.retry_ended': 'dispatch',
  'call.paced': 'dispatch',
  'call.recovery': 'dispatch',
  'task.created': 'dispatch',
  'task.status': 'dispatch',
  'task.unreachable': 'dispatch',
  'task.cancel': 'dispatch',
  'task.taken_up': 'dispatch',
  'task.ended': 'dispatch',
  'call.received': 'dispatch',
  'call.validated': 'validate',
  'call.outcome': 'evidence',
  'call.late_result': 'evidence',
  'call.recovered_at_start': 'evidence',
};

/** Nobody knows whether these happened: the line says so instead of calling them failed. */
const UNCERTAIN = new Set(['outcome_unknown', 'interrupted']);

const stageOfEvent = (event: EvidenceEvent): CallStage | null => {
  if (event.type === 'call.refused') {
    const stage = event.data['stage'];
    const code = event.data['code'];
    return CALL_STAGES.find((s) => s === stage) ?? (typeof code === 'string' ? (STAGE_OF_CODE[code] ?? null) : null);
  }
  return STAGE_OF_EVENT[event.type] ?? null;
};

/** Answered with the first result of the same call: nobody was asked, and nothing was sent. */
export const isRepeat = (invocation: Pick<LineInvocation, 'state' | 'startedAt'>): boolean => invocation.state === 'completed' && invocation.startedAt === null;

const NOT_FOR_REPEATS: ReadonlySet<CallStage> = new Set(['approve', 'dispatch', 'validate']);

/** The seven stages of one invocation with the events behind each. */
export const lineStages = (invocation: LineInvocation, events: readonly EvidenceEvent[] = []): StageView[] => {
  const failed = invocation.state === 'failed';
  const stop = failed ? stoppedAt(invocation) : invocation.stage;
  const at = CALL_STAGES.indexOf(stop);
  const held = isHeldAfterYes(invocation, events);
  return CALL_STAGES.map((stage, i): StageView => {
    const behind = events.filter((e) => stageOfEvent(e) === stage);
    const own = markOf(invocation, i, at);
    const mark = own === 'awaits' && held ? 'active' : own;
    return { stage, mark: mark === 'active' && asksPerson(behind) ? 'awaits' : mark, events: behind };
  });
};

/** A question of the server waits for its answer. */
const asksPerson = (events: readonly EvidenceEvent[]): boolean => {
  const waiting = new Set<unknown>();
  for (const { type, data } of events) {
    if (type === 'question.asked') waiting.add(data['questionId']);
    else if (type === 'question.answered' || type === 'question.voided') waiting.delete(data['questionId']);
  }
  return waiting.size > 0;
};

const markOf = (invocation: LineInvocation, i: number, at: number): StageMark => {
  if (invocation.state === 'completed') return isRepeat(invocation) && NOT_FOR_REPEATS.has(CALL_STAGES[i]!) ? 'open' : 'done';
  if (invocation.state === 'queued') return 'open';
  if (i < at) return 'done';
  if (invocation.state === 'failed') {
    if (i === at) return UNCERTAIN.has(invocation.code ?? '') ? 'uncertain' : 'stopped';
    return CALL_STAGES[i] === 'evidence' ? 'done' : 'open';
  }
  if (i > at) return 'open';
  return invocation.state === 'awaiting_approval' ? 'awaits' : 'active';
};
