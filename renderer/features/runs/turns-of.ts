import { z } from 'zod';
import { RenderingStateSchema, RouteIdSchema } from '../../../shared/rendering.ts';
import type { EvidenceEvent } from '../../../shared/run.ts';

const TurnSchema = z.object({
  turn: z.number(),
  model: z.string(),
  route: RouteIdSchema,
  request: z.string(),
  exposed: z.array(z.object({ name: z.string(), capabilityId: z.string(), definitionFingerprint: z.string(), form: RouteIdSchema, state: RenderingStateSchema })),
  funnel: z.array(z.object({ stage: z.string(), evaluated: z.boolean(), count: z.number(), lost: z.array(z.object({ capabilityId: z.string(), reason: z.string() })), lostCount: z.number() })),
});
export type Turn = z.infer<typeof TurnSchema>;

/** The turns of a run, from its evidence; rows of an earlier version are left to the evidence. */
export const turnsOf = (events: readonly EvidenceEvent[]): readonly Turn[] =>
  events.flatMap((event) => {
    const turn = event.type === 'turn.request' ? TurnSchema.safeParse(event.data) : null;
    return turn?.success ? [turn.data] : [];
  });

/** What was granted and still not shown, which is what a person would miss. */
export const missedIn = (turn: Turn): readonly { readonly capabilityId: string; readonly reason: string }[] => turn.funnel.filter(({ stage }) => stage === 'fresh_healthy' || stage === 'fits_route' || stage === 'exposed').flatMap(({ lost }) => lost);
