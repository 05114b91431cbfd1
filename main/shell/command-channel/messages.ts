import { z } from 'zod';
import { FaultSchema } from '../../../shared/fault-schema.ts';
import { MAX_LINK_LENGTH } from '../../../shared/shell.ts';

/** One line of JSON each way; the connection ends after the answer. The token proves that the caller could read host.json (N08). */
export const CommandMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rpc'), token: z.string().max(200), name: z.string().max(100), input: z.unknown() }),
  z.object({ kind: z.literal('open'), token: z.string().max(200), link: z.string().max(MAX_LINK_LENGTH).optional() }),
  z.object({ kind: z.literal('stop'), token: z.string().max(200) }),
]);
export type CommandMessage = z.infer<typeof CommandMessageSchema>;
export type CommandRequest =
  | { readonly kind: 'rpc'; readonly name: string; readonly input: unknown }
  /** `link`: a stranger's, which the window shows */
  | { readonly kind: 'open'; readonly link?: string | undefined }
  | { readonly kind: 'stop' };

export const CommandAnswerSchema = z.union([z.object({ ok: z.literal(true), value: z.unknown() }), z.object({ ok: z.literal(false), error: FaultSchema })]);

export const MAX_LINE_BYTES = 16 * 1024 * 1024;
