import { z } from 'zod';

/** What the build wrote into package.json under `gantry.updateFeed`: the folder of the feed, and the Ed25519 key that signs it (SPKI, DER, base64). */
export const UpdateFeedSchema = z.object({ url: z.url({ protocol: /^https$/ }), publicKey: z.string().min(40).max(200) });
export type UpdateFeed = z.infer<typeof UpdateFeedSchema>;
