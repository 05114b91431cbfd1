import type { EventRow } from '../store/events.ts';

/** What the chain says that a field has to be, and by which row. `hash` compares the SHA-256 of the stored text. */
export interface Claim {
  readonly seq: number;
  readonly want: unknown;
  readonly as?: 'hash' | 'open' | 'present';
}

type Data = Readonly<Record<string, unknown>>;

/** The fields of one row as the chain has them so far. What it never said, or what an older version did not say, is not judged. */
export class RowClaims {
  readonly fields = new Map<string, Claim>();
  seq = 0;

  say(seq: number, fields: Data, as?: Claim['as']): void {
    this.seq = seq;
    for (const [field, want] of Object.entries(fields)) if (want !== undefined) this.fields.set(field, { seq, want, ...(as === undefined ? {} : { as }) });
  }

  forget(...fields: readonly string[]): void {
    for (const field of fields) this.fields.delete(field);
  }
}

const hashed = (claims: RowClaims, seq: number, fields: Data): void => {
  for (const [field, want] of Object.entries(fields)) claims.say(seq, { [field]: want }, want === null ? undefined : 'hash');
};

/** A row of approvals is found by its id, which may stand masked in an event. */
export interface ApprovalEvent {
  readonly seq: number;
  readonly type: string;
  readonly callId: string;
  readonly data: Data;
}

/** Everything that the events of one run say of the rows beside them, derived from the chain alone. */
export class ChainClaims {
  readonly run = new RowClaims();
  readonly calls = new Map<string, RowClaims>();
  readonly approvals: ApprovalEvent[] = [];
  /** by the id of the run that was deleted */
  readonly deleted = new Map<string, RowClaims>();
  readonly #runId: string;

  constructor(runId: string) {
    this.#runId = runId;
    this.run.say(1, { state: null }, 'open');
    this.run.say(1, { code: null, ended_at: null });
  }

  add(row: EventRow): void {
    const data = JSON.parse(row.data_json) as Data;
    if (row.invocation_id === null) this.#ofRun(row, data);
    else this.#ofCall(row.invocation_id, row, data);
  }

  #ofRun({ seq, type }: EventRow, data: Data): void {
    if (type === 'run.started') this.run.say(seq, { kind: data['kind'], title: data['title'], principal: data['principal'], via: data['via'] ?? null, trace_id: data['traceId'], started_at: data['startedAt'] });
    if (type === 'history.deleted' && typeof data['runId'] === 'string') {
      const claims = new RowClaims();
      const { kind, runState: state, runCode: code, startedAt, endedAt, eventCount, calls, headHash, deletedAt, deletedBy } = data;
      claims.say(seq, { kind, state, code, started_at: startedAt, ended_at: endedAt, event_count: eventCount, calls, head_hash: headHash, deleted_at: deletedAt, deleted_by: deletedBy, record_run: this.#runId });
      this.deleted.set(data['runId'], claims);
    }
    if (type !== 'run.ended') return;
    this.run.forget('state', 'code');
    this.run.say(seq, { ended_at: null }, 'present');
    this.run.say(seq, { state: data['state'], code: data['code'], ended_at: data['endedAt'] });
  }

  #ofCall(id: string, { seq, type }: EventRow, data: Data): void {
    let call = this.calls.get(id);
    if (!call) {
      call = new RowClaims();
      // a row begins with nothing of its end; whatever stands there later is in a later event
      call.say(seq, { run_id: this.#runId, state: 'running', code: null, class: null, fault_json: null, grounded: 0, started_at: null, ended_at: null, input_hash: null, frozen_input: null, result_json: null, preview_json: null });
      this.calls.set(id, call);
    }
    call.seq = seq;
    if (type.startsWith('approval.')) this.approvals.push({ seq, type, callId: id, data });
    if (type === 'call.planned' || type === 'call.refused') {
      const { capabilityId, principal, tier, definitionFingerprint, bindingFingerprint, createdAt } = data;
      call.say(seq, { capability_id: capabilityId, principal, tier, definition_fingerprint: definitionFingerprint, binding_fingerprint: bindingFingerprint, created_at: createdAt });
      // an older version left the input out of the row of a call that it refused
      if (type === 'call.refused') call.say(seq, { input_hash: data['inputHash'] ?? null });
    } else if (type === 'call.normalized') call.say(seq, { input_hash: data['inputHash'] });
    else if (type === 'approval.asked') call.say(seq, { state: 'awaiting_approval', stage: 'approve' });
    else if (type === 'approval.consumed') call.say(seq, { state: 'running', stage: 'approve' });
    else if (type === 'call.intent') {
      call.forget('started_at');
      call.say(seq, { state: 'running', stage: 'dispatch' });
    } else if (type === 'call.validated' || type === 'call.repeated') hashed(call, seq, { result_json: data['resultSha256'] ?? null, preview_json: data['previewSha256'] ?? null });
    else if (type === 'call.late_result' && data['settles'] === true) {
      hashed(call, seq, { result_json: data['resultSha256'], preview_json: data['previewSha256'] });
      call.forget('fault_json');
      hashed(call, seq, { fault_json: data['faultSha256'] });
    } else if (type === 'call.outcome') this.#ended(call, seq, data);
  }

  #ended(call: RowClaims, seq: number, data: Data): void {
    call.forget('class', 'grounded', 'ended_at', 'fault_json', 'stage');
    const { state, code, stage, grounded, waitedMs, startedAt, endedAt, durationMs, message, field } = data;
    call.say(seq, { state, code: code ?? null, class: data['class'], stage, grounded: grounded === undefined ? undefined : Number(grounded), waited_ms: waitedMs, started_at: startedAt, ended_at: endedAt });
    if (code === null || code === undefined) call.say(seq, { fault_json: null });
    else hashed(call, seq, { fault_json: data['faultSha256'] });
    call.say(seq, { 'fault_json.message': message, 'fault_json.field': field, 'fault_json.code': code ?? undefined, durationMs });
  }
}

/** What the events of one approval say of its row. `call`: of the call that asked. */
export const approvalClaims = (runId: string, call: RowClaims | undefined, events: readonly ApprovalEvent[]): RowClaims => {
  const claims = new RowClaims();
  const ofCall = (field: string): unknown => call?.fields.get(field)?.want;
  for (const { seq, type, callId, data } of events) {
    const decided = { decided_at: data['decidedAt'], decided_by: data['by'] };
    if (type === 'approval.asked') {
      const { inputHash, expiresAt, policyVersion, createdAt } = data;
      claims.say(seq, {
        invocation_id: callId, run_id: runId, capability_id: ofCall('capability_id'), input_hash: inputHash, policy_version: policyVersion, created_at: createdAt, expires_at: expiresAt,
        binding_fingerprint: data['bindingFingerprint'] ?? ofCall('binding_fingerprint'), state: 'pending', decided_at: null, decided_by: null, reason: null, consumed_at: null,
      });
      hashed(claims, seq, { nonce: data['nonceSha256'], detail_json: data['detailSha256'] });
    } else if (type === 'approval.consumed') {
      claims.forget('consumed_at');
      claims.say(seq, { state: 'consumed', consumed_at: data['consumedAt'] });
    } else {
      const word = type === 'approval.decided' ? (data['decision'] === 'deny' ? 'denied' : 'approved') : type === 'approval.expired' ? 'expired' : 'void';
      claims.forget('decided_at', 'decided_by');
      const reason = type === 'approval.edited' ? 'edited' : (data['reason'] ?? (type === 'approval.decided' ? null : data['cause']));
      claims.say(seq, { state: word, ...decided, reason });
      // an older version kept the first decider's name in the row and said Gantry in the event
      if (data['cause'] === 'restarted' && data['decidedAt'] === undefined) claims.forget('decided_by');
    }
  }
  return claims;
};
