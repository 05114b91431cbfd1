import type { CallClass } from '../../shared/call-class.ts';
import { classesOf } from '../../shared/call-class.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import type { Idempotency } from '../../shared/idempotency.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { mayHaveEffects, type Tier } from '../../shared/tier.ts';
import type { ReviewRow } from '../store/reviews.ts';
import { keyFieldProblem, keyFieldsOf } from './key-fields.ts';

export interface TimingAsked {
  readonly tier: Tier;
  /** absent: as before; null: taken back */
  readonly callClass?: CallClass | null | undefined;
  readonly idempotency?: Idempotency | null | undefined;
}

const unfit = (field: string, message: string, remedy: string, details: Readonly<Record<string, unknown>>): Result<never, Fault> => err(fault('invalid_request', message, { field, remedy, details }));

const keyProblem = (asked: TimingAsked, { field }: Idempotency, kind: CapabilityKind, inputSchema: unknown): Result<never, Fault> | null => {
  if (kind !== 'tool') return unfit('/idempotency', 'Only a tool takes a key against repeats.', 'Leave idempotency out.', { kind });
  if (!mayHaveEffects(asked.tier)) return unfit('/idempotency', 'What only reads has no effect that a repeat could double.', 'Leave idempotency out, or review it as a write.', { tier: asked.tier });
  const problem = keyFieldProblem(inputSchema, field);
  if (problem === null) return null;
  const suggested = keyFieldsOf(inputSchema);
  const remedy = suggested.length > 0 ? `Name an argument that takes a text: ${suggested.join(', ')}.` : 'Name an argument of the tool that takes a text, or leave idempotency out.';
  return unfit('/idempotency/field', problem === 'no_text' ? `The argument ${JSON.stringify(field)} takes no text, so no key can stand there.` : `The tool declares no argument ${JSON.stringify(field)}.`, remedy, { problem, suggested });
};

/**
 * What a review says of time and repeats: as asked, else as the last review of this definition said, as far as it fits the tier. Error: invalid_request with
 * /callClass, /idempotency or /idempotency/field.
 */
export const reviewTiming = (asked: TimingAsked, before: ReviewRow | null, about: { readonly kind: CapabilityKind; readonly inputSchema: unknown }): Result<Pick<ReviewRow, 'callClass' | 'idempotency'>, Fault> => {
  const allowed = classesOf(asked.tier);
  if (asked.callClass && !allowed.includes(asked.callClass)) {
    return unfit('/callClass', `A capability of tier ${asked.tier} is not of the class ${asked.callClass}.`, `Choose one of ${allowed.join(', ')}, or another tier.`, { tier: asked.tier, allowed });
  }
  if (asked.idempotency) {
    const problem = keyProblem(asked, asked.idempotency, about.kind, about.inputSchema);
    if (problem) return problem;
  }
  const kept = before?.callClass ?? null;
  const callClass = asked.callClass === undefined ? (kept !== null && allowed.includes(kept) ? kept : null) : asked.callClass;
  const idempotency = asked.idempotency === undefined ? (mayHaveEffects(asked.tier) ? (before?.idempotency ?? null) : null) : asked.idempotency;
  return ok({ callClass, idempotency });
};
