import { fault, type Fault } from '../../shared/fault.ts';
import type { ServerState } from '../../shared/server.ts';
import { err } from '../../shared/result.ts';
import { type CallEnd, type LateListeners, type WireCall } from './call-on-wire.ts';
import { callInRounds, Rounds } from './call-in-rounds.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import { TROUBLE } from './recovery-course.ts';
import { sameDefinition } from './same-definition.ts';
import type { Session } from './session.ts';
import type { TaskAccepted, TaskQuestion } from './task-call.ts';
import type { WireOutcome } from './wire-outcome.ts';

/** What was done for a call that provably was not processed: `session_lost` (HTTP 404), `not_reached` (refused before the first byte), or `authorized_again` (HTTP 401, or 403 with `insufficient_scope`). */
export interface RecoveryNote {
  readonly cause: 'session_lost' | 'not_reached' | 'authorized_again';
  /** why, as a code and in words */
  readonly code: string;
  readonly message: string;
  /** until there was a fresh connection, or none */
  readonly waitMs: number;
  readonly outcome: 'recovered' | 'failed' | 'definition_changed' | 'stopped';
  /** the call is sent once more, on the fresh connection */
  readonly sentAgain: boolean;
}

interface Recovering {
  /** how often the call may be sent again on such a proof; absent: once */
  readonly resends?: number;
  /** told before the call is sent again */
  readonly onRecovery?: ((note: RecoveryNote) => void) | undefined;
}
export type RecoveringCall = WireCall & Recovering;
export type RecoveringQuestion = TaskQuestion & Recovering;

export interface OnSession {
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
  /** the session ended for this reason; a fresh connection where one can be had in the bounded tries of its recovery, admitted anew */
  readonly comesBack: (live: L, why: Fault) => Promise<L | null>;
  readonly answered: () => void;
  /** the endpoint judges the call by another definition of its tool than the one at hand */
  readonly definitionMoved: (live: L) => void;
  /** the endpoint answered that it is in trouble, or asked for a pause */
  readonly troubled: (live: L, why: Fault) => void;
  /** no answer in time to a call that began at `since` (monotonic, ms) */
  readonly unanswered: (live: L, since: number) => void;
}

/** HeaderMismatch (2026-07-28): the endpoint refused a call because the headers do not fit its tool as it stands now. */
const HEADER_MISMATCH = -32020;
const STOPPED = fault('interrupted', 'The server was stopped before it answered.');

/** A call, or a question about its task; sent again only where the transport proves that it was not processed, on a fresh connection, and only if its tool is the same (F28, RC04). */
export const callWithRecovery = async <L extends OnSession>(recovery: Recovery<L>, call: RecoveringCall | RecoveringQuestion): Promise<WireOutcome | TaskAccepted> => {
  const first = recovery.ready();
  if (first === null) return notReady(recovery.state());
  let live: L = first;
  let authorizedAgain = false;
  const rounds = new Rounds();
  for (let resends = 0; ; resends += 1) {
    const since = performance.now();
    const end = await callInRounds(live.session, call, recovery.late, () => live.lost ?? (recovery.ready() === live ? null : STOPPED), rounds);
    tell(recovery, live, end, since);
    const { outcome, proof } = end;
    // the next call finds a new session; this one is not sent again, for nothing is proved of it (C039)
    if (deniesSession(live.session, outcome)) void recovery.renew(live);
    if (outcome.kind !== 'failed' || proof === null) return outcome;
    if (proof === 'auth') {
      const began = performance.now();
      const again = (await live.session.authorization?.recover(authorizedAgain)) ?? err(outcome.fault);
      if (!again.ok) return refused(recovery, live, outcome.sent, again.error);
      if (call.signal?.aborted || authorizedAgain) return outcome;
      authorizedAgain = true;
      call.onRecovery?.({ cause: 'authorized_again', code: outcome.fault.code, message: outcome.fault.message, waitMs: Math.round(performance.now() - began), outcome: 'recovered', sentAgain: true });
      continue;
    }
    if (call.signal?.aborted) return outcome;
    if (resends >= (call.resends ?? 1)) {
      if (proof === 'not_reached') recovery.ended(live, outcome.fault);
      return outcome;
    }
    const { fault: why } = outcome;
    const began = performance.now();
    const note = (about: Pick<RecoveryNote, 'outcome' | 'sentAgain'>): void => call.onRecovery?.({ cause: proof, code: why.code, message: why.message, waitMs: Math.round(performance.now() - began), ...about });
    const fresh = proof === 'session_lost' ? await recovery.renew(live) : await recovery.comesBack(live, why);
    if (fresh === null) {
      note({ outcome: 'failed', sentAgain: false });
      return { kind: 'failed', sent: outcome.sent, mayHaveRun: false, fault: notRecovered(why, recovery.state()) };
    }
    if (call.signal?.aborted) {
      note({ outcome: 'stopped', sentAgain: false });
      return outcome;
    }
    if ('toolName' in call && !sameDefinition(live.lists, fresh.lists, call)) {
      note({ outcome: 'definition_changed', sentAgain: false });
      return { kind: 'failed', sent: true, mayHaveRun: false, fault: fault('binding_changed', 'The connection was opened anew and the tool is no longer the one that was called; nothing was carried out.') };
    }
    note({ outcome: 'recovered', sentAgain: true });
    live = fresh;
  }
};

/** Nothing was carried out, and a person has to do something first; where it is to sign in, the server waits for that. */
const refused = <L extends OnSession>(recovery: Recovery<L>, live: L, sent: boolean, why: Fault): WireOutcome => {
  if (why.code === 'sign_in_required' || (why.code === 'auth_required' && why.details?.['status'] === 401)) recovery.ended(live, why);
  return { kind: 'failed', sent, mayHaveRun: false, fault: why };
};

/** Servers in the field say by HTTP 400 and a word what the specification says by 404: that they do not know the session. */
const deniesSession = ({ transport, ledger }: Session, outcome: CallEnd['outcome']): boolean =>
  outcome.kind === 'failed' && outcome.fault.details?.['status'] === 400 && /\bsession\b/i.test(String(outcome.fault.details['serverWords'])) && 'sessionId' in transport && transport.sessionId !== undefined && ledger.openCount === 0;

/** What this end says of the source itself. */
const tell = <L extends OnSession>(recovery: Recovery<L>, live: L, { outcome, proof }: CallEnd, since: number): void => {
  if (outcome.kind === 'rpc_error' && outcome.rpcCode === HEADER_MISMATCH) recovery.definitionMoved(live);
  if (outcome.kind !== 'failed') return recovery.answered();
  const { fault: why } = outcome;
  const status = why.details?.['status'];
  if (proof === 'auth') return;
  if (typeof status === 'number' && TROUBLE.has(status)) recovery.troubled(live, why);
  else if (why.code === 'timeout' && outcome.sent) recovery.unanswered(live, since);
};

/** What was confirmed when the source did not come back. */
const notRecovered = (why: Fault, state: ServerState): Fault => {
  if (state.state !== 'unavailable') return why;
  const said = state.fault.message === why.message ? '' : ` ${state.fault.message}`;
  return fault('unavailable', `${why.message} The connection could not be recovered.${said}`, { ...(state.fault.remedy === undefined ? {} : { remedy: state.fault.remedy }), details: { ...why.details, code: state.code, cause: why.code, confirmed: true } });
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
