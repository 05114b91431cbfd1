import { setTimeout as pause } from 'node:timers/promises';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { WireOutcome, WireProgress } from '../servers/wire-outcome.ts';
import { isApprovedCall } from './approve.ts';
import type { ApprovedCall } from './approve.ts';
import type { Deadline } from './deadlines.ts';
import { retryPauseMs } from './deadlines.ts';
import { inputHashOf } from './normalize.ts';

export interface ToolCall {
  readonly serverId: string;
  readonly toolName: string;
  /** the run and who asks: for the host's own tools, of no meaning to a server */
  readonly runId: string;
  readonly principal: string;
  /** RFC 8785 text, spliced into the request byte for byte */
  readonly frozenArguments: string;
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  readonly signal: AbortSignal;
  onSent(): void;
  onProgress(progress: WireProgress): void;
  onLate(late: WireOutcome): void;
  /** the connection code itself sends again, once, on the transport's proof: session lost, or refused before the first byte */
  onRetry(cause: 'session_lost' | 'not_reached'): void;
}

export interface ToolPort {
  callTool(call: ToolCall): Promise<WireOutcome>;
}

export interface Retry {
  readonly attempt: number;
  readonly cause: Fault;
  readonly waitMs: number;
}

export interface DispatchDeps {
  readonly pool: ToolPort;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** commits the intent row; after it the first byte may leave (A20: an error means that nothing is sent) */
  writeIntent(): Result<null, Fault>;
  /** commits the event of a further try before it is made */
  writeRetry(retry: Retry): Result<null, Fault>;
  /** the same capability with the same binding, as it was last announced, and not stopped: asked again before a further try */
  stillOpen(): Promise<Result<null, Fault>>;
  onSent(): void;
  onProgress(progress: WireProgress): void;
  onLate(late: WireOutcome): void;
  onRecovery(cause: string): void;
  onPoint?(point: 'before_intent' | 'after_intent' | 'after_send' | 'after_result'): void;
}

/** What came back, or why nothing did. `attempts` counts tries on the wire. */
export interface AnsweredCall {
  readonly stage: 'answered';
  readonly approved: ApprovedCall;
  readonly wire: WireOutcome;
  readonly attempts: number;
}

/** How long a stopped call may still take to end known; then it ends unknown (A27). */
const STOP_GRACE_MS = 1_000;
/** Beyond the hard maximum the call ends even if the connection code does not say so. */
const OVERRUN_MS = 5_000;

const failed = (f: Fault, sent: boolean): WireOutcome => ({ kind: 'failed', fault: f, sent, mayHaveRun: sent });

const once = (approved: ApprovedCall, deps: DispatchDeps, onResent: () => void): Promise<WireOutcome> => {
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
      clearTimeout(overrun);
      deps.signal.removeEventListener('abort', onAbort);
      settle(wire);
    };
    const onAbort = (): void => {
      grace = setTimeout(() => finish(failed(fault('cancelled', 'The call was stopped.'), sent)), sent ? STOP_GRACE_MS : 50);
    };
    const overrun = setTimeout(() => finish(failed(fault('timeout', 'No answer within the longest time a call may take.'), sent)), deps.deadline.maxTotalMs + OVERRUN_MS);
    if (deps.signal.aborted) onAbort();
    else deps.signal.addEventListener('abort', onAbort);
    deps.pool
      .callTool({
        serverId: candidate.capability.serverId,
        toolName: candidate.capability.name,
        runId: request.runId,
        principal: request.principal,
        frozenArguments: approved.frozen.frozenInput,
        timeoutMs: deps.deadline.timeoutMs,
        maxTotalMs: deps.deadline.maxTotalMs,
        signal: deps.signal,
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
        onRetry: (cause) => {
          onResent();
          deps.onRecovery(cause);
        },
      })
      .then(finish, (error: unknown) => {
        finish(failed(fault('internal', `The connection code failed: ${error instanceof Error ? error.message : String(error)}`), sent));
      });
  });
};

/** Only what may be over by itself in a moment is tried again; refusals and limits are final. */
const PASSING: ReadonlySet<string> = new Set(['connection_failed', 'exited', 'not_connected', 'unavailable']);

const maySendAgain = (wire: WireOutcome, effects: boolean): wire is Extract<WireOutcome, { kind: 'failed' }> =>
  wire.kind === 'failed' && PASSING.has(wire.fault.code) && (!wire.mayHaveRun || !effects);

/** What is known after one more try: an answer stands by itself, a failure does not undo that an earlier try reached the server. */
const after = (earlier: Extract<WireOutcome, { kind: 'failed' }>, now: WireOutcome): WireOutcome =>
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
  let attempts = 1;
  const onResent = (): void => {
    attempts += 1;
  };
  let wire = await once(approved, deps, onResent);
  while (attempts <= deps.deadline.retries && maySendAgain(wire, mayHaveEffects(candidate.tier)) && !deps.signal.aborted) {
    const waitMs = retryPauseMs();
    if (!deps.writeRetry({ attempt: attempts + 1, cause: wire.fault, waitMs }).ok) break;
    await pause(waitMs);
    if (deps.signal.aborted) {
      wire = after(wire, failed(fault('cancelled', 'The call was stopped.'), false));
      break;
    }
    const open = await deps.stillOpen();
    if (!open.ok) {
      wire = wire.mayHaveRun ? wire : after(wire, failed(open.error, false));
      break;
    }
    attempts += 1;
    wire = after(wire, await once(approved, deps, onResent));
  }
  deps.onPoint?.('after_result');
  return ok({ stage: 'answered', approved, wire, attempts });
};
