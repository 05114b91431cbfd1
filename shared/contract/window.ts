import { z } from 'zod';
import { ApprovalRowSchema } from '../approval.ts';
import { QuestionSchema } from '../question.ts';
import { RunSchema } from '../run.ts';
import { ServerSummarySchema } from '../server.ts';
import { HealthStatusSchema, SettingsSchema } from '../settings.ts';
import { ShellStatusSchema } from '../shell.ts';
import { request } from './define.ts';
import { marketRequests } from './market.ts';

export const windowRequests = {
  /**
   * All that a window mirrors, in one answer, so that it is drawn once. With `market` also the first MARKET_PAGE cards, as
   * `market:browse` gives them to the default question; null while the first steps are not done, and where the list was left
   * narrowed: such a window does not begin there.
   */
  'window:first': request(
    'read',
    z.object({ market: z.boolean().default(false) }),
    z.object({
      settings: SettingsSchema,
      health: HealthStatusSchema,
      servers: z.array(ServerSummarySchema),
      /** those that wait */
      approvals: z.array(ApprovalRowSchema),
      /** those that wait or are to be reviewed */
      questions: z.array(QuestionSchema),
      runs: z.array(RunSchema),
      shell: ShellStatusSchema,
      market: marketRequests['market:browse'].output.nullable(),
    }),
  ),
} as const;
