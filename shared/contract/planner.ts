import { z } from 'zod';
import { PlannedToolSchema } from '../planner.ts';
import { callsRequests } from './calls.ts';
import { Empty, request } from './define.ts';

const RequestText = z.string().trim().min(1).max(4_000);

/** The guided planner: a person says what they want, chooses the tool and fills in its input; no model takes part. */
export const plannerRequests = {
  /**
   * The tools for a request, best first: `candidates` are what this principal may use now, `others` what fits as well and is not available to it, each with
   * the stage of the funnel at which it drops out. `tools`: how many were compared. Error: internal, where the words that ship with Gantry cannot be read.
   */
  'planner:rank': request(
    'read',
    z.object({ request: RequestText, principal: z.string().max(200), limit: z.number().int().min(1).max(30).default(8) }),
    z.object({ candidates: z.array(PlannedToolSchema), others: z.array(PlannedToolSchema), tools: z.number() }),
  ),
  /** Begins a run of kind `guided`, in the person's words. It stays open for the calls of this request until it is ended, or half an hour after the last of them. */
  'planner:begin': request('write', z.object({ request: RequestText }), z.object({ runId: z.string() })),
  /** One call of an open guided run, by the person: the same line as a try-out, answered at once. `rank`: the place of the tool in what was offered, for the record. Errors: not_found, conflict (the run has ended). */
  'planner:call': request('write', z.object({ runId: z.string(), capabilityId: z.string(), inputText: z.string(), rank: z.number().int().min(1).max(100).optional() }), callsRequests['calls:try'].output),
  /** Ends it. Errors: not_found, conflict (a call of it is under way). One that has ended stays as it is. */
  'planner:end': request('write', z.object({ runId: z.string() }), Empty),
} as const;
