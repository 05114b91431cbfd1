import { fault, type Fault } from '../../shared/fault.ts';
import type { ServerState } from '../../shared/server.ts';
import { callOnWire, type LateListeners, type WireCall } from './call-on-wire.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import { sameDefinition } from './same-definition.ts';
import type { Session } from './session.ts';
import type { WireOutcome } from './wire-outcome.ts';

export interface RecoveringCall extends WireCall {
  /** the call is sent a second time, for this reason: `session_lost` (HTTP 404) or `not_reached` (refused before the first byte) */
  readonly onRetry?: ((cause: 'session_lost' | 'not_reached') => void) | undefined;
}

interface OnSession {
  readonly session: Session;
  readonly lists: DiscoveredLists | null;
  readonly lost: Fault | null;
}

export interface Recovery<L extends OnSession> {
  readonly late: LateListeners;
  readonly state: () => ServerState;
  /** the live session, when the server is ready */
  readonly ready: () => L | null;
  /** a new session in place of this one, shared by all calls that lost it; null when there is none */
  readonly renew: (old: L) => Promise<L | null>;
  readonly ended: (live: L, why: Fault) => void;
  /** what was read of its tools no longer stands: nothing is sent on it before they are read anew */
  readonly isDue: (live: L) => boolean;
}

const REACH_AGAIN_MS = 300;
const STOPPED = fault('interrupted', 'The server was stopped before it answered.');

/** `tools/call`; sent a second time, once, only where the transport proves that the first was not processed (F28). */
export const callWithRecovery = async <L extends OnSession>(recovery: Recovery<L>, call: RecoveringCall): Promise<WireOutcome> => {
  const live = recovery.ready();
  if (live === null) return notReady(recovery.state());
  const on = (target: L) => callOnWire(target.session, call, recovery.late, () => target.lost ?? (recovery.ready() === target ? null : STOPPED));
  const first = await on(live);
  if (first.outcome.kind !== 'failed' || first.proof === null) return first.outcome;
  if (first.proof === 'auth') {
    if (first.outcome.fault.details?.['status'] === 401) recovery.ended(live, first.outcome.fault);
    return first.outcome;
  }
  if (call.signal?.aborted) return first.outcome;
  if (first.proof === 'not_reached') {
    await new Promise((resolve) => setTimeout(resolve, REACH_AGAIN_MS));
    if (recovery.isDue(live)) return first.outcome;
    call.onRetry?.('not_reached');
    const second = await on(live);
    if (second.proof === 'not_reached' && second.outcome.kind === 'failed') recovery.ended(live, second.outcome.fault);
    return second.outcome;
  }
  const fresh = await recovery.renew(live);
  if (fresh === null || call.signal?.aborted) return first.outcome;
  if (!sameDefinition(live.lists, fresh.lists, call.toolName)) {
    return { kind: 'failed', sent: true, mayHaveRun: false, fault: fault('binding_changed', 'The session was renewed and the tool is no longer the one that was called; nothing was carried out.') };
  }
  call.onRetry?.('session_lost');
  return (await on(fresh)).outcome;
};

const notReady = (state: ServerState): WireOutcome => ({
  kind: 'failed',
  sent: false,
  mayHaveRun: false,
  fault:
    state.state === 'unavailable'
      ? fault('unavailable', state.fault.message, { ...(state.fault.remedy === undefined ? {} : { remedy: state.fault.remedy }), details: { code: state.code } })
      : fault('not_connected', `The server is not ready (${state.state}).`, { details: { state: state.state } }),
});
