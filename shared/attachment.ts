import { z } from 'zod';

/** What a person gives along with a question. A file's bytes are given whole: the host reads no path for it. */
export const AttachmentSchema = z.discriminatedUnion('kind', [
  /** read for this run, by the person, down the line of a call: its words stand in the first request as data of its server. `input`: the variables of a template */
  z.object({ kind: z.literal('resource'), capabilityId: z.string().min(1).max(2048), input: z.record(z.string(), z.unknown()).optional() }),
  /** got for this run, alike: what its server wrote, with the roles that it gave, marked as its own */
  z.object({ kind: z.literal('prompt'), capabilityId: z.string().min(1).max(2048), input: z.record(z.string(), z.unknown()).optional() }),
  z.object({ kind: z.literal('file'), name: z.string().min(1).max(300), mediaType: z.string().max(200), base64: z.base64().max(14_000_000) }),
]);
export type Attachment = z.infer<typeof AttachmentSchema>;
