import { z } from 'zod';
import { FaultSchema } from '../fault-schema.ts';

/**
 * Frames of the loopback WebSocket, one JSON object a text frame. The first frame of a socket is `hello`
 * (a one-time token of the address fragment, or the session that it was exchanged for); nothing else is read before it.
 */
export const ClientFrameSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello'), token: z.string().max(200).optional(), session: z.string().max(200).optional() }),
  z.object({ kind: z.literal('request'), id: z.number().int().nonnegative(), name: z.string().max(100), input: z.unknown() }),
]);
export type ClientFrame = z.infer<typeof ClientFrameSchema>;

export const HostFrameSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), session: z.string() }),
  z.object({ kind: z.literal('response'), id: z.number(), result: z.union([z.object({ ok: z.literal(true), value: z.unknown() }), z.object({ ok: z.literal(false), error: FaultSchema })]) }),
  z.object({ kind: z.literal('event'), name: z.string(), payload: z.unknown() }),
]);
export type HostFrame = z.infer<typeof HostFrameSchema>;

/** WebSocket close codes of the host (private range, RFC 6455 section 7.4.2). After `refused` a window does not try again. */
export const CLOSE_CODES = { refused: 4401, badFrame: 4400, tooSlow: 4413 } as const;
