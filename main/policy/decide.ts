import type { PolicyRule, RuleEffect } from '../../shared/rule.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { Tier } from '../../shared/tier.ts';
import { ALLOW_READ_ONLY, ASK_OTHERWISE, ASK_PARTLY_CHECKED } from './built-in-rules.ts';
import { conditionHolds } from './conditions.ts';
import type { Tri } from './path-scope.ts';

/** All that policy may look at. `tier` counts as read only only together with `reviewed` (S12, C089). */
export interface PolicyQuestion {
  readonly principal: string;
  readonly capabilityId: string;
  readonly serverId: string;
  readonly tier: Tier;
  readonly reviewed: boolean;
  readonly partlyChecked: boolean;
  readonly definitionFingerprint: string;
  readonly input: unknown;
  /** ms since epoch */
  readonly now: number;
}

export interface PolicyDecision {
  readonly effect: RuleEffect;
  readonly ruleId: string;
  readonly reason: string;
}

const effectiveTier = (q: PolicyQuestion): Tier => (mayHaveEffects(q.tier) ? (q.tier === 'unknown' ? 'high_write' : q.tier) : q.reviewed ? 'read_only' : 'high_write');

const fitsTier = (rule: PolicyRule, tier: Tier): boolean => rule.tier === null || (rule.tier === 'unknown' ? 'high_write' : rule.tier) === tier;

const conditionsHold = (rule: PolicyRule, input: unknown): Tri => {
  let worst: Tri = 'yes';
  for (const condition of rule.conditions) {
    const holds = conditionHolds(condition, input);
    if (holds === 'no') return 'no';
    if (holds === 'unknown') worst = 'unknown';
  }
  return worst;
};

/** Does this rule speak about this call? What cannot be judged counts for ask and deny, and never for allow. */
export const ruleApplies = (rule: PolicyRule, q: PolicyQuestion): boolean => {
  if (rule.revokedAt !== null || (rule.expiresAt !== null && rule.expiresAt <= q.now)) return false;
  if (rule.principal !== null && rule.principal !== q.principal) return false;
  if (rule.capabilityId !== null && rule.capabilityId !== q.capabilityId) return false;
  if (rule.serverId !== null && rule.serverId !== q.serverId) return false;
  const tier = effectiveTier(q);
  if (!fitsTier(rule, tier)) return false;
  if (rule.definitionFingerprint !== null && rule.definitionFingerprint !== q.definitionFingerprint) return false;
  // "always allow" may not creep: with effects it names one capability in one definition (A16)
  if (rule.effect === 'allow' && mayHaveEffects(tier) && (rule.capabilityId === null || rule.definitionFingerprint === null)) return false;
  const holds = conditionsHold(rule, q.input);
  return rule.effect === 'allow' ? holds === 'yes' : holds !== 'no';
};

const by = (rule: PolicyRule): PolicyDecision => ({ effect: rule.effect, ruleId: rule.id, reason: rule.note });

/**
 * Pure: (rules, question) -> allow | ask | deny with the rule that decided. Deny wins over ask, ask over allow; the built-in rules come after the
 * standing ones, but for "partly checked asks", which no allow rule lifts.
 */
export const decide = (standing: readonly PolicyRule[], q: PolicyQuestion): PolicyDecision => {
  const speaking = standing.filter((rule) => ruleApplies(rule, q));
  const first = (effect: RuleEffect): PolicyRule | undefined => speaking.find((rule) => rule.effect === effect);
  const deny = first('deny');
  if (deny) return by(deny);
  const ask = first('ask');
  if (ask) return by(ask);
  if (q.partlyChecked) return by(ASK_PARTLY_CHECKED);
  const allow = first('allow');
  if (allow) return by(allow);
  return ruleApplies(ALLOW_READ_ONLY, q) ? by(ALLOW_READ_ONLY) : by(ASK_OTHERWISE);
};
