import type { Fault } from '../../shared/fault.ts';
import { isObject } from '../../shared/is-object.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { EvidenceEvent } from '../../shared/run.ts';
import type { RunSpan } from '../../shared/run-span.ts';
import { eventPage, toEvent } from '../store/events.ts';
import type { ReadStore } from '../store/read-only.ts';
import { getRun } from '../store/runs.ts';
import { absentRun } from './absent-run.ts';

/** What begins or ends a span. */
const TYPES = [
  'run.started', 'turn.request', 'turn.reply', 'turn.failed', 'call.planned', 'call.refused', 'call.repeated', 'call.outcome', 'call.told', 'call.recovered_at_start',
  'approval.asked', 'approval.decided', 'approval.edited', 'approval.expired', 'approval.voided', 'call.intent', 'call.retry', 'call.retry_ended', 'call.received',
  'question.asked', 'question.answered', 'question.voided', 'run.ended',
] as const;
const MOST_SPANS = 5_000;

type Draft = { -readonly [K in keyof RunSpan]: RunSpan[K] };

/** Trees of runs that are kept between two questions. */
const MOST_TREES = 4;

/** Trees as far as they were read: evidence is only ever added to, so the next question reads what came after. */
export class SpanTrees {
  readonly #readers = new Map<string, SpanReader>();

  of(runId: string): SpanReader {
    const reader = this.#readers.get(runId) ?? new SpanReader();
    this.#readers.delete(runId);
    this.#readers.set(runId, reader);
    for (const [oldest] of this.#readers) if (this.#readers.size > MOST_TREES) this.#readers.delete(oldest);
    return reader;
  }

  forget(runId: string): void {
    this.#readers.delete(runId);
  }
}

/**
 * The tree of a run's time, parents before what is in them, in the order in which they began; with `since` (an earlier answer's `upTo`) only the spans that rows after it began or changed. `total`: of all; `upTo`: the
 * last row that was read, -1 for none. Error: not_found.
 */
export const runSpans = (store: ReadStore, runId: string, since = -1, trees = new SpanTrees()): Result<{ spans: RunSpan[]; total: number; upTo: number }, Fault> =>
  store.read((db) => {
    if (!getRun(db, runId)) {
      trees.forget(runId);
      return err(absentRun(db, runId));
    }
    const reader = trees.of(runId);
    const { rows } = eventPage(db, runId, { types: TYPES, fromSeq: reader.upTo + 1, offset: 0, limit: -1 });
    reader.read(rows.map(toEvent));
    return ok({ spans: reader.since(since, MOST_SPANS), total: reader.total, upTo: reader.upTo });
  });

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

const tokensOf = ({ usage }: EvidenceEvent['data']): RunSpan['tokens'] =>
  isObject(usage)
    ? { input: number(usage['inputTokens']), output: number(usage['outputTokens']), cached: number(usage['cachedTokens']), estimated: usage['estimated'] === true, cost: typeof usage['cost'] === 'number' ? usage['cost'] : null, currency: text(usage['currency']) ?? null }
    : undefined;

/** Reads the rows of a run in their order. A model request is on record when its answer has come: it began where what was before it ended. */
export const spansOf = (events: readonly EvidenceEvent[]): RunSpan[] => {
  const reader = new SpanReader();
  reader.read(events);
  return reader.since(-1, Infinity);
};

class SpanReader {
  readonly #spans: Draft[] = [];
  readonly #calls = new Map<string, Draft>();
  /** open spans within a call, by the call and their kind */
  readonly #within = new Map<string, Draft>();
  readonly #attempts = new Map<string, number>();
  /** the last row that began or changed it */
  readonly #touched = new Map<Draft, number>();
  #turn: Draft | null = null;
  #model: Draft | null = null;
  #before = 0;
  #upTo = -1;

  read(events: readonly EvidenceEvent[]): void {
    for (const event of events) {
      this.#upTo = event.seq;
      this.#take(event);
      this.#before = event.at;
    }
  }

  get upTo(): number {
    return this.#upTo;
  }

  get total(): number {
    return this.#spans.length;
  }

  /** Of the first `most`, those that rows after `seq` began or changed, in their order. */
  since(seq: number, most: number): RunSpan[] {
    return this.#spans.slice(0, most).filter((span) => this.#touched.get(span)! > seq);
  }

  #touch(span: Draft): Draft {
    this.#touched.set(span, this.#upTo);
    return span;
  }

  #take(event: EvidenceEvent): void {
    if (event.type.startsWith('turn.')) return this.#takeTurn(event);
    if (event.type === 'run.ended') return this.#endAll(event.at);
    if (event.invocationId !== null) this.#takeCall(event, event.invocationId);
  }

  #takeTurn({ type, at, data }: EvidenceEvent): void {
    const turn = number(data['turn']);
    if (this.#turn?.turn !== turn) this.#beginTurn(turn);
    const model = this.#touch(this.#model!);
    this.#touch(this.#turn!);
    if (type === 'turn.request') {
      model.model = text(data['model']) ?? '';
      model.endedAt = at;
    } else if (type === 'turn.reply') {
      const tokens = tokensOf(data);
      model.endedAt = at;
      if (tokens !== undefined) model.tokens = tokens;
    } else if (type === 'turn.failed') {
      Object.assign(model, { endedAt: at, failed: true, outcome: text(data['code']) ?? null });
      Object.assign(this.#turn!, { endedAt: at, failed: true, outcome: model.outcome });
    }
    this.#turn!.endedAt = Math.max(this.#turn!.endedAt ?? 0, at);
  }

  #beginTurn(turn: number): void {
    const id = `turn ${turn}`;
    this.#turn = this.#add({ id, parent: null, kind: 'turn', startedAt: this.#before, endedAt: null, outcome: null, failed: false, turn });
    this.#model = this.#add({ id: `model ${turn}`, parent: id, kind: 'model', startedAt: this.#before, endedAt: null, outcome: null, failed: false, turn });
  }

  #takeCall(event: EvidenceEvent, invocationId: string): void {
    const { type, at, data } = event;
    const call = this.#touch(this.#callOf(event, invocationId));
    const end = (kind: 'wait' | 'attempt' | 'question', outcome: string | null, failed: boolean): void => {
      const open = this.#within.get(`${kind} ${invocationId}`);
      if (!open) return;
      Object.assign(this.#touch(open), { endedAt: at, outcome, failed });
      this.#within.delete(`${kind} ${invocationId}`);
    };
    const begin = (kind: 'wait' | 'attempt' | 'question', more: Partial<RunSpan> = {}): void => {
      end(kind, null, false);
      const span = this.#add({ id: `${kind} ${event.seq}`, parent: invocationId, kind, startedAt: at, endedAt: null, outcome: null, failed: false, invocationId, ...more });
      this.#within.set(`${kind} ${invocationId}`, span);
    };
    switch (type) {
      case 'approval.asked':
        return begin('wait');
      case 'approval.decided':
        return end('wait', text(data['decision']) ?? null, data['decision'] === 'deny');
      case 'approval.edited':
      case 'approval.expired':
      case 'approval.voided':
        return end('wait', type.slice('approval.'.length), type !== 'approval.edited');
      case 'call.intent':
      case 'call.retry': {
        const attempt = type === 'call.intent' ? 1 : number(data['attempt']) || (this.#attempts.get(invocationId) ?? 1) + 1;
        this.#attempts.set(invocationId, attempt);
        return begin('attempt', { attempt });
      }
      case 'call.retry_ended':
      case 'call.received': {
        const outcome = text(data['outcome']) ?? null;
        return end('attempt', outcome, outcome === 'failed');
      }
      case 'question.asked':
        return begin('question');
      case 'question.answered':
      case 'question.voided':
        return end('question', text(data['decision']) ?? text(data['cause']) ?? null, type === 'question.voided');
      case 'call.told':
        call.toldBytes = number(data['textBytes']);
        break;
      case 'call.outcome':
      case 'call.recovered_at_start':
        for (const kind of ['wait', 'attempt', 'question'] as const) end(kind, null, false);
        Object.assign(call, { endedAt: at, failed: data['state'] !== 'completed', outcome: text(data['code']) ?? text(data['class']) ?? null });
        break;
      default:
    }
    const turn = call.parent === null ? null : this.#turn;
    if (turn !== null) this.#touch(turn).endedAt = Math.max(turn.endedAt ?? 0, at);
  }

  #callOf({ at, data }: EvidenceEvent, invocationId: string): Draft {
    const known = this.#calls.get(invocationId);
    if (known) {
      known.capabilityId ??= text(data['capabilityId']) ?? '';
      return known;
    }
    const capabilityId = text(data['capabilityId']);
    const call = this.#add({ id: invocationId, parent: this.#turn?.id ?? null, kind: 'call', startedAt: at, endedAt: null, outcome: null, failed: false, invocationId, ...(capabilityId === undefined ? {} : { capabilityId }) });
    this.#calls.set(invocationId, call);
    return call;
  }

  #endAll(at: number): void {
    for (const span of this.#spans) if (span.endedAt === null) this.#touch(span).endedAt = at;
  }

  #add(span: RunSpan): Draft {
    const draft: Draft = { ...span };
    this.#spans.push(draft);
    return this.#touch(draft);
  }
}
