import type { ArgumentCondition, PolicyRule, RuleEffect } from '../../../shared/rule.ts';
import type { Tier } from '../../../shared/tier.ts';

/** What a rule being written says so far; '' means "any". */
export interface RuleDraft {
  readonly effect: RuleEffect;
  readonly principal: string;
  readonly capabilityId: string;
  readonly serverId: string;
  readonly tier: Tier | '';
  readonly conditions: readonly ConditionDraft[];
  readonly note: string;
  /** days from now; '' means that it does not end by itself */
  readonly days: string;
}
export interface ConditionDraft {
  readonly pointer: string;
  readonly op: ArgumentCondition['op'];
  readonly value: string;
}
export const EMPTY_DRAFT: RuleDraft = { effect: 'deny', principal: '', capabilityId: '', serverId: '', tier: '', conditions: [], note: '', days: '' };

export type DraftProblem = 'allow_needs_capability' | 'pointer' | 'number' | 'days' | 'value';

/** `/path` or `path` both name the argument `path`; a slash inside a name is written ~1. */
export const pointerOf = (text: string): string => (text === '' || text.startsWith('/') ? text : `/${text}`);

/** What keeps a draft from being a rule; null when nothing does. The host judges again. */
export const draftProblem = (draft: RuleDraft): DraftProblem | null => {
  if (draft.effect === 'allow' && draft.capabilityId === '' && draft.tier !== 'read_only') return 'allow_needs_capability';
  if (draft.days !== '' && !(/^\d{1,4}$/.test(draft.days) && Number(draft.days) > 0)) return 'days';
  for (const c of draft.conditions) {
    if (c.pointer.trim() === '') return 'pointer';
    if (c.op === 'less_or_equal' && !Number.isFinite(c.value.trim() === '' ? Number.NaN : Number(c.value))) return 'number';
    if ((c.op === 'starts_with' || c.op === 'within_path') && c.value === '') return 'value';
  }
  return null;
};

/** A value as the JSON it reads as (true, 3, null), else as text; quotes make text of anything. */
export const conditionValue = (text: string): string | number | boolean | null => {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value === 'boolean' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  } catch {
    // not JSON: the text itself is meant
  }
  return text;
};

export const conditionOf = (draft: ConditionDraft): ArgumentCondition => {
  const pointer = pointerOf(draft.pointer.trim());
  if (draft.op === 'present' || draft.op === 'absent') return { pointer, op: draft.op };
  if (draft.op === 'less_or_equal') return { pointer, op: draft.op, value: Number(draft.value) };
  if (draft.op === 'starts_with' || draft.op === 'within_path') return { pointer, op: draft.op, value: draft.value };
  return { pointer, op: draft.op, value: conditionValue(draft.value) };
};

/** In force, ended by itself, or revoked. */
export const ruleStanding = (rule: Pick<PolicyRule, 'revokedAt' | 'expiresAt'>, now: number): 'in_force' | 'expired' | 'revoked' => {
  if (rule.revokedAt !== null) return 'revoked';
  return rule.expiresAt !== null && rule.expiresAt <= now ? 'expired' : 'in_force';
};
