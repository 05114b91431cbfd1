import { z } from 'zod';
import { ApprovalRowSchema, ApprovalSchema, ApprovalStateSchema } from '../approval.ts';
import { CallResultSchema, ToldSchema, InvocationSchema, InvocationStateSchema, ResultClassSchema } from '../call.ts';
import { FaultSchema } from '../fault-schema.ts';
import { ArgumentConditionSchema, PolicyRuleSchema, RuleEffectSchema } from '../rule.ts';
import { TierSchema } from '../tier-schema.ts';
import { Empty, request } from './define.ts';

const Outcome = z.object({
  invocationId: z.string(),
  runId: z.string(),
  state: InvocationStateSchema,
  code: z.string().optional(),
  class: ResultClassSchema.optional(),
  result: CallResultSchema.optional(),
  fault: FaultSchema.optional(),
  approvalId: z.string().optional(),
  /** nothing was sent: the first call of the same write in this run answers, the one that is named */
  repeatOf: z.object({ invocationId: z.string(), at: z.number() }).optional(),
});

export const callsRequests = {
  /** The user's try-out. `inputText` (raw JSON) is preferred over `input` where numbers must survive exactly. wait:false answers at once, wait:true at the end, a person's decision included; without it at the end or as soon as a person is awaited. */
  'calls:try': request(
    'write',
    z.object({ capabilityId: z.string(), input: z.unknown().optional(), inputText: z.string().optional(), wait: z.boolean().optional() }),
    Outcome,
  ),
  /** A call that the first result of the same write answered, sent as a new one after asking: the person's, in a run of its own, under another key. Answers at once. Errors: not_found, conflict. */
  'calls:sendAgain': request('write', z.object({ invocationId: z.string() }), Outcome),
  'calls:get': request('read', z.object({ invocationId: z.string() }), z.object({ invocation: InvocationSchema })),
  /** What a model was told of a call, as it was sent: the text beside the recorded result. Empty where no model asked. */
  'calls:told': request('read', z.object({ invocationId: z.string() }), z.object({ told: z.array(ToldSchema) })),
  /** The stored result as JSON text, in slices: `offset` in characters, `next` is null at the end. Error: not_found. */
  'calls:wholeResult': request('read', z.object({ invocationId: z.string(), offset: z.number().int().min(0) }), z.object({ text: z.string(), total: z.number(), next: z.number().nullable() })),
  'calls:stop': request('write', z.object({ invocationId: z.string() }), Empty),
  /** Stop all: no dispatch from now on; running calls are cancelled and end known or unknown. */
  'calls:stopAll': request('write', Empty, z.object({ cancelled: z.number() })),
  'calls:resume': request('write', Empty, Empty),
  'approvals:list': request('read', z.object({ state: ApprovalStateSchema.optional() }), z.object({ approvals: z.array(ApprovalSchema) })),
  /** The same as rows: those that wait, the first to expire first; or those that ended, the last one first. */
  'approvals:page': request(
    'read',
    z.object({ of: z.enum(['pending', 'ended']), offset: z.number().int().min(0).default(0), limit: z.number().int().min(1).max(5000).default(100) }),
    z.object({ rows: z.array(ApprovalRowSchema), total: z.number() }),
  ),
  'approvals:get': request('read', z.object({ approvalId: z.string() }), z.object({ approval: ApprovalSchema })),
  'approvals:decide': request(
    'decide',
    z.object({ approvalId: z.string(), decision: z.enum(['approve', 'deny']), reason: z.string().max(1000).optional(), inputHash: z.string().optional() }),
    z.object({ approval: ApprovalSchema }),
  ),
  /** Voids this approval and freezes the edited input as a new one. */
  'approvals:edit': request('decide', z.object({ approvalId: z.string(), inputText: z.string() }), z.object({ approval: ApprovalSchema })),
  'rules:list': request('read', Empty, z.object({ rules: z.array(PolicyRuleSchema) })),
  'rules:add': request(
    'decide',
    z.object({
      effect: RuleEffectSchema,
      principal: z.string().nullable().default(null),
      capabilityId: z.string().nullable().default(null),
      serverId: z.string().nullable().default(null),
      tier: TierSchema.nullable().default(null),
      conditions: z.array(ArgumentConditionSchema.strict()).max(20).default([]),
      note: z.string().max(500).default(''),
      expiresAt: z.number().nullable().default(null),
    }),
    z.object({ rule: PolicyRuleSchema }),
  ),
  'rules:revoke': request('write', z.object({ ruleId: z.string() }), Empty),
} as const;
