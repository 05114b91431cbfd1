import { z } from 'zod';

/** What a person gives along with a question. A file's bytes are given whole: the host reads no path for it. */
export const AttachmentSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), name: z.string().min(1).max(300), mediaType: z.string().max(200), base64: z.base64().max(14_000_000) }),
]);
export type Attachment = z.infer<typeof AttachmentSchema>;
export const MOST_ATTACHMENTS = 20;
