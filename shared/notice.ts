import { z } from 'zod';

/**
 * Something the host met and survived, or did while no window could say so, which the user has to know: where a broken file was set aside, which
 * setting fell back, that a backup was restored.
 * `at` in ms since epoch; `code` picks the sentence, `message` is its plain English; `details` never holds a secret.
 */
export const NoticeSchema = z.object({
  code: z.enum(['store_set_aside', 'setting_unreadable', 'secrets_passphrase_refused', 'secret_unreadable', 'row_unreadable', 'data_brought_back', 'data_restored', 'data_reset']),
  at: z.number(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Notice = z.infer<typeof NoticeSchema>;
