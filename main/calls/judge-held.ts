import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { KnownSecret } from '../secrets/mask.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import type { JudgeAbout, ValidatedCall } from './judge-result.ts';

/** All that judging a result needs, as plain data: a worker has no part of the host. */
export interface JudgeOrder {
  readonly about: JudgeAbout;
  readonly outputSchema: unknown;
  /** of the definition: the compiled schema is kept under it */
  readonly fingerprint: string;
  readonly secrets: readonly KnownSecret[];
}

/** How long a stopped call may still take to be judged: it has come, so that its outcome can be known. */
const STOP_GRACE_MS = 1_000;

/** Has the worker judge the result that it holds. Error: why it could not, or that the call was stopped before it had. */
export const askHeld = (wire: Extract<WireOutcome, { kind: 'held' }>, order: JudgeOrder, signal: AbortSignal): Promise<Result<ValidatedCall, Fault>> =>
  new Promise((resolve) => {
    let grace: NodeJS.Timeout | undefined;
    const settle = (answer: Result<ValidatedCall, Fault>): void => {
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const onAbort = (): void => {
      grace = setTimeout(() => settle(err(fault('interrupted', 'The call was stopped while its answer was read.', { details: { sizeBytes: wire.sizeBytes } }))), STOP_GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void wire.held.judge(order).then((answer) => settle(answer.ok ? ok(answer.value as ValidatedCall) : answer));
  });
