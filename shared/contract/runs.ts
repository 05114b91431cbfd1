import { z } from 'zod';
import { InvocationSchema } from '../call.ts';
import { EvidenceEventSchema, RunSchema } from '../run.ts';
import { RunFilterSchema, RunListSchema } from '../run-list.ts';
import { RunSpanSchema } from '../run-span.ts';
import { request } from './define.ts';

const ById = z.object({ runId: z.string() });
const offset = z.number().int().min(0);

export const runsRequests = {
  /**
   * Newest first. `before` is a start time in ms. With a filter or an `offset`, the answer also says how many there are; `upTo` of the first answer in the questions
   * for its other pages keeps their places while new runs begin.
   */
  'runs:list': request('read', RunFilterSchema.extend({ limit: z.number().int().min(1).max(500).default(100), before: z.number().optional(), offset: offset.optional(), upTo: z.string().max(100).optional() }), RunListSchema),
  'runs:get': request('read', ById, z.object({ run: RunSchema, events: z.array(EvidenceEventSchema) })),
  /** A run without its calls, and what they come to. `unknown`: calls of which nobody knows whether they happened. `shown`: the call that a person looks for first: the one that waits, else the first that failed, else the first. `place`: how many calls stand before `invocationId`, or else before that one; null where it is none of this run. */
  'runs:head': request('read', ById.extend({ invocationId: z.string().optional() }), z.object({ run: RunSchema, calls: z.number(), waitedMs: z.number(), unknown: z.number(), shown: z.string().nullable(), place: z.number().nullable() })),
  /** A page of its calls in their order, without results, with the events of just these calls. */
  'runs:calls': request('read', ById.extend({ offset: offset.default(0), limit: z.number().int().min(1).max(200).default(50) }), z.object({ calls: z.array(InvocationSchema), events: z.array(EvidenceEventSchema), total: z.number() })),
  /** A page of its events: of one call or of all, and of some types or of all. `leaveOut`: members of their data that are not wanted, such as the whole request of a turn. */
  'runs:events': request('read', ById.extend({ invocationId: z.string().optional(), types: z.array(z.string().max(60)).min(1).max(20).optional(), leaveOut: z.array(z.string().max(60)).max(5).optional(), offset: offset.default(0), limit: z.number().int().min(1).max(1000).default(200) }), z.object({ events: z.array(EvidenceEventSchema), total: z.number() })),
  /** Its time as a tree of spans, parents first; of very long runs the first 5,000. With `since` (the `upTo` of an earlier answer) only those that began or changed after that. Error: not_found. */
  'runs:spans': request('read', ById.extend({ since: z.number().int().min(-1).optional() }), z.object({ spans: z.array(RunSpanSchema), total: z.number(), upTo: z.number() })),
  'runs:verify': request('read', ById, z.object({ ok: z.boolean(), firstBad: z.object({ seq: z.number(), reason: z.string(), place: z.object({ table: z.enum(['runs', 'invocations', 'approvals', 'result_previews', 'deleted_runs']), row: z.string(), field: z.string().optional() }).optional() }).optional(), events: z.number() })),
  /** JSON lines: a head line {format:"gantry-evidence/1", run} and one event a line; verifiable without Gantry. */
  'runs:export': request('read', ById, z.object({ fileName: z.string(), text: z.string() })),
} as const;
