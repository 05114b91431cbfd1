import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';

/** The longest link from outside that is looked at, in UTF-16 units. A longer one is told by its length alone. */
export const MAX_LINK_LENGTH = 8_192;

/** Why this Gantry updates itself not at all: it runs from its sources, or was built without a feed and its key, or a package of the system owns it. */
export const NoUpdateReasonSchema = z.enum(['not_packaged', 'no_feed', 'system_package', 'other_shell']);

/** Where an update stands. Nothing is fetched before a person asks, nothing is put in place before a person asks. `at` and `checkedAt` in ms since epoch. */
export const UpdateStateSchema = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('none'), reason: NoUpdateReasonSchema }),
  z.object({ phase: z.literal('idle'), checkedAt: z.number().nullable() }),
  z.object({ phase: z.literal('checking') }),
  z.object({ phase: z.literal('current'), checkedAt: z.number() }),
  z.object({ phase: z.literal('available'), version: z.string(), checkedAt: z.number() }),
  z.object({ phase: z.literal('downloading'), version: z.string(), doneBytes: z.number(), totalBytes: z.number() }),
  z.object({ phase: z.literal('downloaded'), version: z.string() }),
  z.object({ phase: z.literal('failed'), fault: FaultSchema, at: z.number() }),
]);
export type UpdateState = z.infer<typeof UpdateStateSchema>;

/** Which shell carries the window, what it can do, and how that stands. A window shows no switch for what `can` denies. */
export const ShellStatusSchema = z.object({
  kind: z.enum(['electron', 'loopback', 'command', 'test']),
  can: z.object({ closeToTray: z.boolean(), notify: z.boolean(), launchAtLogin: z.boolean(), update: z.boolean(), openFolder: z.boolean() }),
  /** as the operating system has it, which the person may have changed there */
  launchAtLogin: z.boolean(),
  /** the address that a check for updates contacts, and the only one */
  updateFeed: z.string().nullable(),
  update: UpdateStateSchema,
});
export type ShellStatus = z.infer<typeof ShellStatusSchema>;

/** Where a window is asked to go from outside it: by the tray, a notification, a link. It opens a page and does nothing else. */
export const PlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approval'), approvalId: z.string() }),
  z.object({ kind: z.literal('approvals') }),
  z.object({ kind: z.literal('question'), questionId: z.string() }),
  z.object({ kind: z.literal('questions') }),
  z.object({ kind: z.literal('servers') }),
  z.object({ kind: z.literal('settings') }),
  /** written by a stranger: `text` whole, or `null` where it is longer than MAX_LINK_LENGTH */
  z.object({ kind: z.literal('link'), text: z.string().max(MAX_LINK_LENGTH).nullable(), length: z.number() }),
]);
export type Place = z.infer<typeof PlaceSchema>;

/** One package that ships, as its own files say: `license` is its declared expression, `hasText` whether a licence file came with it. */
export const LicenceSchema = z.object({ name: z.string(), version: z.string(), license: z.string(), hasText: z.boolean() });
export type Licence = z.infer<typeof LicenceSchema>;
