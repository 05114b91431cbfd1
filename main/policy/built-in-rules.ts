import type { PolicyRule } from '../../shared/rule.ts';

const builtIn = (id: string, rule: Pick<PolicyRule, 'effect' | 'tier' | 'note'>): PolicyRule => ({
  id,
  builtIn: true,
  principal: null,
  capabilityId: null,
  serverId: null,
  conditions: [],
  definitionFingerprint: null,
  createdAt: 0,
  createdBy: 'Gantry',
  expiresAt: null,
  revokedAt: null,
  ...rule,
});

/** A tool with a part that cannot be evaluated always asks (design section 6); it stands above any allow rule. */
export const ASK_PARTLY_CHECKED = builtIn('builtin:partly-checked-asks', {
  effect: 'ask',
  tier: null,
  note: 'A tool whose input can only be checked in part always asks.',
});

/** Grants are checked at plan; reviewed by a person or the catalogue is checked by decide. */
export const ALLOW_READ_ONLY = builtIn('builtin:read-only-allowed', {
  effect: 'allow',
  tier: 'read_only',
  note: 'What was reviewed as read only runs without asking, once it is allowed for the agent.',
});

/** Applies when no other rule does. */
export const ASK_OTHERWISE = builtIn('builtin:everything-else-asks', { effect: 'ask', tier: null, note: 'Everything else asks a person each time.' });

export const BUILT_IN_RULES: readonly PolicyRule[] = [ASK_PARTLY_CHECKED, ALLOW_READ_ONLY, ASK_OTHERWISE];

/** Not a rule of the page: what was done once in a run and is to be sent again as a new call asks, whatever allows it. */
export const ASK_SENT_AGAIN = 'builtin:sent-again-asks';

/** Not a rule: the name under which a failure of policy itself denies (A11). */
export const POLICY_FAILED = 'builtin:policy-failed';
