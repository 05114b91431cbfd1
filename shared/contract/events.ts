import { z } from 'zod';
import { ApprovalSchema } from '../approval.ts';
import { CallProgressSchema, InvocationSchema } from '../call.ts';
import { DataProgressSchema } from '../data.ts';
import { QuestionSchema } from '../question.ts';
import { EvidenceEventSchema, RunSchema } from '../run.ts';
import { LogLineSchema, ServerSummarySchema } from '../server.ts';
import { HealthStatusSchema, SettingsSchema } from '../settings.ts';
import { ShellStatusSchema } from '../shell.ts';

/** What the host tells its windows, as whole values; a window that missed some reads again. */
export const events = {
  'server:changed': z.object({ server: ServerSummarySchema }),
  'server:removed': z.object({ serverId: z.string() }),
  'server:log': z.object({ serverId: z.string(), lines: z.array(LogLineSchema), droppedLines: z.number() }),
  'capabilities:changed': z.object({ serverId: z.string() }),
  /** a server said that a watched resource changed; at most once a second for each */
  'resource:updated': z.object({ capabilityId: z.string(), updatedAt: z.number(), updates: z.number() }),
  'invocation:changed': z.object({ invocation: InvocationSchema }),
  /** of a call under way; at most four in a second */
  'call:progress': z.object({ invocationId: z.string(), runId: z.string(), progress: CallProgressSchema }),
  'approval:changed': z.object({ approval: ApprovalSchema }),
  'question:changed': z.object({ question: QuestionSchema }),
  'run:changed': z.object({ run: RunSchema }),
  'run:event': z.object({ event: EvidenceEventSchema }),
  /** Words of a model as they come; the event `turn.reply` has them whole. `attempt` from 1: a later one of a turn begins its text anew. `text` is added to what came before. */
  'agent:delta': z.object({ runId: z.string(), turn: z.number(), attempt: z.number(), text: z.string() }),
  /** models or profiles were changed: read the lists again */
  'models:changed': z.object({}),
  /** the embeddings endpoint, its progress or what was found of it: read it again; at most four in a second */
  'embeddings:changed': z.object({}),
  /** a conversation began, got a run, was renamed or removed: read it again */
  'conversations:changed': z.object({ conversationId: z.string() }),
  'rules:changed': z.object({}),
  'settings:changed': z.object({ settings: SettingsSchema }),
  'health:changed': HealthStatusSchema,
  /** the data was restored or reset: everything that a window knows is of before */
  'host:replaced': z.object({}),
  /** runs were deleted: read the lists again */
  'history:changed': z.object({}),
  'data:progress': DataProgressSchema,
  'shell:changed': z.object({ shell: ShellStatusSchema }),
  /** a window is asked to go somewhere: it takes the place with `shell:takePlace` */
  'shell:place': z.object({}),
} as const;
export type Events = { [K in keyof typeof events]: z.infer<(typeof events)[K]> };
export type EventName = keyof Events;
