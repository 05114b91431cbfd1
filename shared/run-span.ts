import { z } from 'zod';

/**
 * A stretch of a run's time, derived from its evidence. `turn`: a model request with the calls that came of its reply. `model`: asking the model. `call`, and in it `attempt`
 * (one try on the wire), `wait` (for a person to approve) and `question` (a server's question, until it was answered).
 */
const SPAN_KINDS = ['turn', 'model', 'call', 'attempt', 'wait', 'question'] as const;

export const RunSpanSchema = z.object({
  id: z.string(),
  /** the span it belongs to; null: the run itself */
  parent: z.string().nullable(),
  kind: z.enum(SPAN_KINDS),
  startedAt: z.number(),
  /** null: not ended */
  endedAt: z.number().nullable(),
  /** how it ended: a fault code, a result class, a decision; null where it just ended or has not ended */
  outcome: z.string().nullable(),
  failed: z.boolean(),
  turn: z.number().optional(),
  model: z.string().optional(),
  capabilityId: z.string().optional(),
  invocationId: z.string().optional(),
  /** the number of an attempt, from 1 */
  attempt: z.number().optional(),
  /** tokens of a model request and its reply; `estimated` where the provider did not count */
  tokens: z.object({ input: z.number(), output: z.number(), cached: z.number(), estimated: z.boolean(), cost: z.number().nullable(), currency: z.string().nullable() }).optional(),
  /** of the text that the model was told of a call */
  toldBytes: z.number().optional(),
});
export type RunSpan = z.infer<typeof RunSpanSchema>;
