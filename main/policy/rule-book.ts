import type { PolicyRule } from '../../shared/rule.ts';
import { canonicalText, sha256 } from '../evidence/canonical.ts';
import { wellFormed } from '../evidence/well-formed.ts';
import type { Store } from '../store/database.ts';
import { standingRules } from '../store/rules.ts';
import type { StoredRule } from '../store/rules.ts';
import { BUILT_IN_RULES, POLICY_FAILED } from './built-in-rules.ts';
import { decide } from './decide.ts';
import type { PolicyDecision, PolicyQuestion } from './decide.ts';

/** A row that cannot be read may have been a deny: it denies everything until it is revoked, and says so on the rules page (A11). */
const denyInPlaceOf = (row: Extract<StoredRule, { kind: 'broken' }>): PolicyRule => ({
  id: row.id,
  builtIn: false,
  effect: 'deny',
  principal: null,
  capabilityId: null,
  serverId: null,
  tier: null,
  conditions: [],
  definitionFingerprint: null,
  note: `This rule cannot be read (${row.cause}). Until it is revoked, it denies every call.`,
  createdAt: row.createdAt,
  createdBy: 'Gantry',
  expiresAt: null,
  revokedAt: null,
});

/** The rules that stand, with their version. One reading is kept; a reading that fails keeps the last good one and names the cause (A11). */
export class RuleBook {
  readonly #store: Store;
  #standing: readonly PolicyRule[] | null = null;
  #problem: string | null = null;
  #version: { readonly value: string; readonly until: number } | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Reads the table again: after a change made here, and at start. */
  reload(): void {
    this.#version = null;
    try {
      const rows = this.#store.read(standingRules);
      const broken = rows.filter((row) => row.kind === 'broken');
      // a known rule that went bad under a running host keeps the meaning it had when it was good
      const good = new Map(this.#standing?.map((rule) => [rule.id, rule]));
      this.#standing = rows.map((row) => (row.kind === 'rule' ? row.rule : (good.get(row.id) ?? denyInPlaceOf(row))));
      this.#problem = broken.length > 0 ? broken.map((row) => `rule ${row.id}: ${row.cause}`).join('; ') : null;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** What is wrong with the rules, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  standing(): readonly PolicyRule[] {
    if (this.#standing === null) this.reload();
    return this.#standing ?? [];
  }

  /** For the rules page: the user's own first, then the built-in ones. */
  list(): readonly PolicyRule[] {
    return [...this.standing(), ...BUILT_IN_RULES];
  }

  /** Hash of the rules in force at `now` (ms). An approval is bound to it (A04). */
  version(now: number): string {
    if (this.#version && now < this.#version.until) return this.#version.value;
    const standing = this.standing();
    const inForce = standing.filter((rule) => rule.expiresAt === null || rule.expiresAt > now);
    const value = sha256(canonicalText(wellFormed([...inForce, ...BUILT_IN_RULES]).value));
    const until = Math.min(...inForce.map((rule) => rule.expiresAt ?? Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
    this.#version = { value, until };
    return value;
  }

  /** When a rule in force at `now` runs out, in ms since epoch; null: none does. */
  movesAt(now: number): number | null {
    this.version(now);
    const until = this.#version?.until ?? Number.POSITIVE_INFINITY;
    return Number.isFinite(until) ? until : null;
  }

  /** Never throws: a failure of policy itself denies, with its cause. */
  decide(question: PolicyQuestion): PolicyDecision {
    try {
      const standing = this.standing();
      if (this.#standing === null) return { effect: 'deny', ruleId: POLICY_FAILED, reason: `The rules could not be read: ${this.#problem ?? 'unknown cause'}` };
      return decide(standing, question);
    } catch (error) {
      return { effect: 'deny', ruleId: POLICY_FAILED, reason: `Policy failed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
}
