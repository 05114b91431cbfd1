import { z } from 'zod';
import { Empty, request } from './define.ts';

/** What the ranking of tools has learned from calls, on this machine. */
export const choicesRequests = {
  /** How many calls were counted. */
  'choices:get': request('read', Empty, z.object({ accepted: z.number(), refused: z.number() })),
  /** Forgets all of them: tools are ranked as if none had been counted. */
  'choices:clear': request('write', Empty, Empty),
} as const;
