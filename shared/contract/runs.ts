import { z } from 'zod';
import { EvidenceEventSchema, RunSchema } from '../run.ts';
import { request } from './define.ts';

const ById = z.object({ runId: z.string() });

export const runsRequests = {
  'runs:list': request('read', z.object({ limit: z.number().int().min(1).max(500).default(100), before: z.number().optional() }), z.object({ runs: z.array(RunSchema) })),
  'runs:get': request('read', ById, z.object({ run: RunSchema, events: z.array(EvidenceEventSchema) })),
  'runs:verify': request('read', ById, z.object({ ok: z.boolean(), firstBad: z.object({ seq: z.number(), reason: z.string(), place: z.object({ table: z.enum(['runs', 'invocations', 'approvals', 'result_previews']), row: z.string(), field: z.string().optional() }).optional() }).optional(), events: z.number() })),
  /** JSON lines: a head line {format:"gantry-evidence/1", run} and one event a line; verifiable without Gantry. */
  'runs:export': request('read', ById, z.object({ fileName: z.string(), text: z.string() })),
} as const;
