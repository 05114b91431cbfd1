import type { VoidCause } from '../../shared/approval.ts';
import { parseCapabilityId } from '../../shared/capability-id.ts';
import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import { getInvocation } from '../store/invocations.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import { isAbsence } from './approved-calls.ts';
import type { CallParts } from './call-parts.ts';
import { causeOf, endedBecause } from './void-cause.ts';

/** Of a server that rests by these the way back is its own: a passphrase, an update that is under way, the next start. */
const COMES_BACK: ReadonlySet<string> = new Set(['not_connected', 'cancelled', 'secret_store_locked', 'secret_store_unavailable']);
/** What a server that rests by decision says of its approvals; besides these, it failed. */
const DECIDED: Readonly<Record<string, VoidCause>> = { disabled: 'disabled', quarantined: 'quarantined', not_found: 'removed', consent_required: 'configuration_changed' };
/** setTimeout holds 2^31-1 ms at most. */
const LONGEST_TIMER_MS = 2_000_000_000;

/** What makes an approval unusable ends it at once, a pending one and a yes that waits to be used, with its true reason; whoever waits for its call hears of it (A04, CL33). */
export class ApprovalVoids {
  readonly #parts: CallParts;
  readonly #desk: ApprovalDesk;
  #rulesTimer: NodeJS.Timeout | null = null;

  constructor(parts: CallParts, desk: ApprovalDesk) {
    this.#parts = parts;
    this.#desk = desk;
  }

  /** Voids what hangs on another policy version. */
  rulesChanged(): void {
    const version = this.#parts.rules.version(this.#parts.deps.clock.now());
    for (const approval of this.#unused()) if (approval.policyVersion !== version) this.#end(approval, 'rules_changed');
    this.rulesMoveLater();
  }

  /** A rule that expires while somebody is asked is a changed one, too. */
  rulesMoveLater(): void {
    if (this.#rulesTimer !== null) clearTimeout(this.#rulesTimer);
    this.#rulesTimer = null;
    const now = this.#parts.deps.clock.now();
    const at = this.#parts.rules.movesAt(now);
    if (at === null || this.#desk.countPending() === 0) return;
    this.#rulesTimer = setTimeout(() => this.rulesChanged(), Math.min(LONGEST_TIMER_MS, at - now));
    this.#rulesTimer.unref();
  }

  /** Voids what hangs on a binding, an access or a scope that is no more; null: of every server. A source that is merely not connected voids nothing: the yes is checked again when it is used. */
  bindingsChanged(serverId: string | null): void {
    for (const approval of this.#unused()) {
      if (serverId !== null && serverOf(approval) !== serverId) continue;
      const cause = this.#moved(approval);
      if (cause !== null) this.#end(approval, cause);
    }
  }

  /** What would answer is another launch now: no approval of it stands, whether the server is up or not. */
  launchChanged(serverId: string): void {
    this.#ofServer(serverId, 'configuration_changed');
  }

  /** Nobody will answer any more. */
  serverGone(serverId: string, cause: 'quarantined' | 'removed' | 'disabled'): void {
    this.#ofServer(serverId, cause);
  }

  /** The server is down and nothing starts it again by itself: switched off, or failed for good. */
  sourceRests(serverId: string, why: Fault): void {
    if (COMES_BACK.has(why.code)) return;
    const cause = DECIDED[why.code];
    if (cause !== undefined) return this.#ofServer(serverId, cause);
    const told = fault('unavailable', `The server failed before the call was sent, and is not tried again by itself: ${why.message} The tool was not called.`, { remedy: 'Mend the server and connect it, then ask again.', details: { serverId, code: why.code, cause: 'source_failed' satisfies VoidCause } });
    for (const approval of this.#unused()) if (serverOf(approval) === serverId) this.#desk.end(approval, 'void', told, 'Gantry', null);
  }

  /** A failure of this source is confirmed: runs that stopped using it have nothing more to ask of it. */
  sourceIsolated(serverId: string, refusalOf: (runId: string) => Fault | null): void {
    for (const approval of this.#unused()) {
      const why = serverOf(approval) === serverId ? refusalOf(approval.runId) : null;
      if (why !== null) this.#desk.end(approval, 'void', { ...why, message: `${why.message} The tool was not called.`, details: { ...why.details, cause: 'source_failed' satisfies VoidCause } }, 'Gantry', null);
    }
  }

  close(): void {
    if (this.#rulesTimer !== null) clearTimeout(this.#rulesTimer);
  }

  #moved(approval: ApprovalRow): VoidCause | null {
    const { registry, store } = this.#parts.deps;
    const present = registry.candidate(approval.capabilityId, approval.principal);
    if (present.ok && present.value.bindingFingerprint === approval.bindingFingerprint) return null;
    const asked = store.read((db) => getInvocation(db, approval.invocationId))?.definitionFingerprint ?? null;
    const bound = registry.bound(approval.capabilityId);
    const isRedefined = asked !== null && bound !== null && bound.definitionFingerprint !== asked;
    if (present.ok) return isRedefined ? 'definition_changed' : 'binding_changed';
    if (isAbsence(present.error) && present.error.details?.['reason'] !== 'gone') return null;
    return isRedefined ? 'definition_changed' : causeOf(present.error);
  }

  #ofServer(serverId: string, cause: VoidCause): void {
    for (const approval of this.#unused()) if (serverOf(approval) === serverId) this.#end(approval, cause);
  }

  #unused(): readonly ApprovalRow[] {
    return [...this.#desk.rows('pending'), ...this.#desk.rows('approved')];
  }

  #end(approval: ApprovalRow, cause: VoidCause): void {
    this.#desk.end(approval, 'void', endedBecause(cause), 'Gantry', null);
  }
}

const serverOf = ({ capabilityId }: ApprovalRow): string | null => parseCapabilityId(capabilityId)?.serverId ?? null;
