import type { Invocation } from '../../../shared/call.ts';
import { isRepeat } from '../../parts/line-stages.ts';
import { stoppedAt } from '../../../shared/stopped-at.ts';

export type Tone = 'quiet' | 'awaits' | 'bad' | 'unsure';
export interface OutcomeWord {
  /** key under runs.outcome; a code without words of its own is told as failed, with the code beside it */
  readonly key: string;
  readonly tone: Tone;
  /** where in the structured result, as a JSON Pointer; empty: all of it */
  readonly place?: string;
}

const WORDED = new Set([
  'timeout', 'interrupted', 'outcome_unknown', 'tool_error', 'protocol_error', 'invalid_result', 'too_large', 'unavailable', 'unknown_capability', 'not_allowed', 'binding_changed', 'source_not_fresh',
  'invalid_input', 'idempotency_key_unfit', 'input_too_complex', 'secret_in_input', 'approval_expired', 'approval_void', 'stopped', 'rate_limited', 'cancelled', 'exited', 'not_connected', 'schema_excluded', 'store_write_failed',
]);

/** How an invocation ended or stands, short enough for the end of its row. */
export const outcomeWord = (invocation: Pick<Invocation, 'state' | 'stage' | 'code' | 'class'> & Partial<Pick<Invocation, 'startedAt' | 'fault'>>, /** its server waits for an answer of the person */ asked = false, /** a person said yes, and it waits for its place */ held = false): OutcomeWord => {
  if (isRepeat(invocation)) return { key: 'repeat', tone: 'quiet' };
  if (invocation.state === 'completed') {
    if (invocation.class === 'suspect_success' || invocation.class === 'pending') return { key: invocation.class, tone: 'unsure' };
    return { key: 'done', tone: 'quiet' };
  }
  if (held) return { key: 'held', tone: 'quiet' };
  if (invocation.state === 'awaiting_approval' || (invocation.state === 'running' && asked)) return { key: 'awaits', tone: 'awaits' };
  if (invocation.state !== 'failed') return { key: invocation.state, tone: 'quiet' };
  const code = invocation.code ?? '';
  if (code === 'denied') return { key: stoppedAt(invocation) === 'approve' ? 'denied_by_person' : 'denied_by_rule', tone: 'bad' };
  if (code === 'outcome_unknown' || code === 'interrupted') return { key: code, tone: 'unsure' };
  const field = invocation.fault?.field;
  if (code === 'invalid_result' && field?.startsWith('/structuredContent')) return { key: 'output_schema', tone: 'bad', place: field.slice('/structuredContent'.length) };
  return { key: WORDED.has(code) ? code : 'failed', tone: 'bad' };
};
