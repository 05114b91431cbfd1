import { setTimeout as pause } from 'node:timers/promises';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { RecoveryNote } from '../servers/call-with-recovery.ts';
import { CallClock } from '../servers/questions/call-clock.ts';
import type { CallMark } from '../servers/questions/question-port.ts';
import type { TaskWants } from '../servers/ask-task.ts';
import type { TaskAnswer, TaskQuestion } from '../servers/task-call.ts';
import type { TaskBegun, ToolAnswer } from '../servers/wire-answer.ts';
import type { WireOutcome, WireProgress } from '../servers/wire-outcome.ts';
import { isApprovedCall } from './approve.ts';
import type { ApprovedCall } from './approve.ts';
import type { Deadline } from './deadlines.ts';
import { isPassing, retryPauseMs } from './deadlines.ts';
import { inputHashOf } from './normalize.ts';

export interface ToolCall {
  readonly serverId: string;
  readonly kind: CapabilityKind;
  /** of a resource its URI or URI template: a name, of no meaning on the wire */
  readonly toolName: string;
  /** what a resource is asked by; null for tools and prompts */
  readonly uri: string | null;
  /** the run and who asks: for the host's own tools, of no meaning to a server */
  readonly runId: string;
  readonly principal: string;
  /** RFC 8785 text, spliced into the request byte for byte */
  readonly frozenArguments: string;
  /** further members of the request's `_meta` */
  readonly meta?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  readonly signal: AbortSignal;
  /** whose call it is, for what the server asks meanwhile */
  readonly mark: CallMark;
  /** stands still while a person is asked */
  readonly clock: CallClock;
  /** asked before what a person answered goes on to the server */
  mayGoOn(): Promise<Result<null, Fault>>;
  /** its review says that it submits a job */
  readonly prefersTask?: boolean;
  onSent(): void;
  onProgress(progress: WireProgress): void;
  onLate(late: WireOutcome): void;
  /** the connection code recovered the connection, or tried to, for a call that provably was not processed; it may send the call again itself, once */
  onRecovery(note: RecoveryNote): void;
}

export interface ToolPort {
  callTool(call: ToolCall): Promise<ToolAnswer>;
  /** never begins anything anew */
  askTask(serverId: string, question: TaskQuestion): Promise<TaskAnswer>;
  /** asks a person what a task of the newer era wants; answers by key, or why there are none */
  answerTask(serverId: string, wants: TaskWants): Promise<Result<Readonly<Record<string, unknown>>, Fault>>;
}

/** A further try: why, and after which pause. `proof`: the transport proved that the last one was not processed; `class`: it only reads, and its class has tries left. */
export interface Retry {
  readonly attempt: number;
  readonly by: 'proof' | 'class';
  readonly cause: Fault;
  readonly waitMs: number;
}

/** What became of a further try. `sent` false: it was not made, for the source was away or gone. */
export interface RetryEnd {
  readonly attempt: number;
  readonly outcome: WireOutcome['kind'] | 'stopped';
  readonly sent: boolean;
  readonly cause?: Fault | undefined;
}

export interface DispatchDeps {
  readonly pool: ToolPort;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  readonly invocationId: string;
  /** before the first byte, so that polls of one job keep their distance; 0: at once */
  readonly pauseMs?: number | undefined;
  readonly meta?: Readonly<Record<string, string>> | undefined;
  /** monotonic, ms */
  now(): number;
  /** commits the intent row; after it the first byte may leave (A20: an error means that nothing is sent) */
  writeIntent(): Result<null, Fault>;
  /** commits the event of a further try before it is made */
  writeRetry(retry: Retry): Result<null, Fault>;
  /** the event of what became of it */
  writeRetryEnd(end: RetryEnd): void;
  /** the same capability with the same binding, as it was last announced, and not stopped: asked again before a further try */
  stillOpen(): Promise<Result<null, Fault>>;
  onSent(): void;
  onProgress(progress: WireProgress): void;
  onLate(late: WireOutcome): void;
  onRecovery(note: RecoveryNote): void;
  /** the server goes on with the call as a task: its outcome. `isLate`: the call has ended meanwhile, and the task is to be ended too */
  onTask(begun: TaskBegun, clock: CallClock, isLate: boolean): Promise<WireOutcome>;
  onPoint?(point: 'before_intent' | 'after_intent' | 'after_send' | 'after_result'): void;
}

/** What came back, or why nothing did. `attempts` counts tries on the wire. */
export interface AnsweredCall {
  readonly stage: 'answered';
  readonly approved: ApprovedCall;
  readonly wire: WireOutcome;
  readonly attempts: number;
  /** a person was awaited for what the server asked; part of no deadline (C034) */
  readonly waitedMs: number;
}

/** How long a stopped call may still take to end known; then it ends unknown (A27). */
const STOP_GRACE_MS = 1_000;
/** Beyond the hard maximum the call ends even if the connection code does not say so. */
const OVERRUN_MS = 5_000;

const failed = (f: Fault, sent: boolean): WireOutcome => ({ kind: 'failed', fault: f, sent, mayHaveRun: sent });

const once = (approved: ApprovedCall, deps: DispatchDeps, clock: CallClock, maxTotalMs: number, tells: { readonly onResent: () => void; readonly onTask: () => void }): Promise<WireOutcome> => {
  const { candidate, request } = approved.frozen.planned;
  return new Promise<WireOutcome>((settle) => {
    let over = false;
    let sent = false;
    let grace: NodeJS.Timeout | undefined;
    const finish = (wire: WireOutcome): void => {
      if (over) {
        // the outcome was already told: whatever comes now is late (F09)
        if (wire.kind !== 'failed') deps.onLate(wire);
        return;
      }
      over = true;
      clearTimeout(grace);
      forgetOverrun();
      deps.signal.removeEventListener('abort', onAbort);
      settle(wire);
    };
    const onAbort = (): void => {
      grace = setTimeout(() => finish(failed(fault('cancelled', 'The call was stopped.'), sent)), sent ? STOP_GRACE_MS : 50);
    };
    const forgetOverrun = clock.after(maxTotalMs + OVERRUN_MS, () => finish(failed(fault('timeout', 'No answer within the longest time a call may take.'), sent)));
    if (deps.signal.aborted) onAbort();
    else deps.signal.addEventListener('abort', onAbort);
    deps.pool
      .callTool({
        serverId: candidate.capability.serverId,
        kind: candidate.capability.kind,
        toolName: candidate.capability.name,
        uri: approved.frozen.uri,
        runId: request.runId,
        principal: request.principal,
        frozenArguments: approved.frozen.frozenInput,
        meta: deps.meta,
        timeoutMs: Math.min(deps.deadline.timeoutMs, maxTotalMs),
        maxTotalMs,
        signal: deps.signal,
        mark: { invocationId: deps.invocationId, runId: request.runId, capabilityId: request.capabilityId },
        clock,
        mayGoOn: () => deps.stillOpen(),
        prefersTask: deps.deadline.callClass === 'job_submission',
        onSent: () => {
          if (sent) return;
          sent = true;
          deps.onSent();
          deps.onPoint?.('after_send');
        },
        onProgress: (progress) => {
          if (!over) deps.onProgress(progress);
        },
        onLate: (late) => deps.onLate(late),
        onRecovery: (note) => {
          if (note.sentAgain) tells.onResent();
          deps.onRecovery(note);
        },
      })
      .then((answer) => {
        if (answer.kind !== 'task') return finish(answer);
        tells.onTask();
        if (!over) forgetOverrun();
        return deps.onTask(answer, clock, over).then(finish);
      })
      .catch((error: unknown) => {
        finish(failed(fault('internal', `The connection code failed: ${error instanceof Error ? error.message : String(error)}`), sent));
      });
  });
};

type Failed = Extract<WireOutcome, { kind: 'failed' }>;

/** Whether one more try may follow, and on what ground. What may have effects has one only on proof, and one in all. */
const nextTry = (wire: WireOutcome, so: { readonly effects: boolean; readonly attempts: number; readonly resent: boolean; readonly moreAttempts: number }): Retry['by'] | null => {
  if (wire.kind !== 'failed' || !isPassing(wire.fault)) return null;
  if (!so.effects && so.attempts <= so.moreAttempts) return 'class';
  return !wire.mayHaveRun && !so.resent && so.attempts === 1 ? 'proof' : null;
};

/** What is known after one more try: an answer stands by itself, a failure does not undo that an earlier try reached the server. */
const after = (earlier: Failed, now: WireOutcome): WireOutcome =>
  now.kind === 'failed' ? { ...now, sent: earlier.sent || now.sent, mayHaveRun: earlier.mayHaveRun || now.mayHaveRun } : now;

/**
 * Sends the frozen bytes of an approved call: once where it may have effects, unless the transport proves that it was not processed.
 * Error: why nothing was sent (store_write_failed, approval_void). Everything after the first byte is an AnsweredCall.
 */
export const dispatch = async (approved: ApprovedCall, deps: DispatchDeps): Promise<Result<AnsweredCall, Fault>> => {
  if (!isApprovedCall(approved)) throw new TypeError('dispatch takes what approve made');
  const { frozen } = approved;
  const { candidate, request } = frozen.planned;
  deps.onPoint?.('before_intent');
  const intent = deps.writeIntent();
  if (!intent.ok) return intent;
  deps.onPoint?.('after_intent');
  if (inputHashOf(request.capabilityId, candidate.bindingFingerprint, frozen.frozenInput) !== frozen.inputHash) {
    return err(fault('approval_void', 'The input changed after it was frozen; nothing was sent.'));
  }
  const clock = new CallClock(() => deps.now());
  const left = (): number => deps.deadline.maxTotalMs - clock.activeMs;
  if (deps.pauseMs && !(await waited(deps.pauseMs, deps.signal))) return stopped(approved);
  if (deps.pauseMs) {
    const open = await deps.stillOpen();
    if (!open.ok) return ok({ stage: 'answered', approved, wire: failed(open.error, false), attempts: 0, waitedMs: 0 });
  }
  const effects = mayHaveEffects(candidate.tier);
  let attempts = 1;
  let unmade = 0;
  let resent = false;
  // what a server has begun as a task is never begun once more
  let isTask = false;
  const tells = {
    onResent: (): void => {
      attempts += 1;
      resent = true;
    },
    onTask: () => void (isTask = true),
  };
  let wire = await once(approved, deps, clock, deps.deadline.maxTotalMs, tells);
  while (wire.kind === 'failed' && !isTask && !deps.signal.aborted) {
    const last: Failed = wire;
    const by = nextTry(last, { effects, attempts, resent, moreAttempts: deps.deadline.moreAttempts });
    const waitMs = retryPauseMs(attempts);
    if (by === null || left() <= waitMs) break;
    if (!deps.writeRetry({ attempt: attempts + 1, by, cause: last.fault, waitMs }).ok) break;
    attempts += 1;
    resent = resent || by === 'proof';
    if (!(await waited(waitMs, deps.signal))) {
      unmade += 1;
      deps.writeRetryEnd({ attempt: attempts, outcome: 'stopped', sent: false });
      wire = after(last, failed(fault('cancelled', 'The call was stopped.'), false));
      break;
    }
    const open = await deps.stillOpen();
    if (!open.ok) {
      unmade += 1;
      deps.writeRetryEnd({ attempt: attempts, outcome: 'failed', sent: false, cause: open.error });
      wire = last.mayHaveRun ? last : after(last, failed(open.error, false));
      // a server that is on its way up may be there at the next try; anything else is final
      if (isPassing(open.error)) continue;
      break;
    }
    const now = await once(approved, deps, clock, Math.max(1, left()), tells);
    deps.writeRetryEnd({ attempt: attempts, outcome: now.kind, sent: now.kind !== 'failed' || now.sent, cause: now.kind === 'failed' ? now.fault : undefined });
    wire = after(last, now);
  }
  deps.onPoint?.('after_result');
  return ok({ stage: 'answered', approved, wire, attempts: attempts - unmade, waitedMs: Math.round(clock.waitedMs) });
};

/** False where the call was stopped meanwhile. */
const waited = (ms: number, signal: AbortSignal): Promise<boolean> => pause(ms, undefined, { signal }).then(() => true, () => false);

const stopped = (approved: ApprovedCall): Result<AnsweredCall, Fault> =>
  ok({ stage: 'answered', approved, wire: failed(fault('cancelled', 'The call was stopped before it was sent.'), false), attempts: 0, waitedMs: 0 });
