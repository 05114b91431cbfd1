import { z } from 'zod';
import { LicenceSchema, PlaceSchema, ShellStatusSchema } from '../shell.ts';
import { Empty, request } from './define.ts';

const Shell = z.object({ shell: ShellStatusSchema });

export const shellRequests = {
  'shell:get': request('read', Empty, Shell),
  /** `not_in_this_shell` where no program window is there to be started. */
  'shell:setLaunchAtLogin': request('write', z.object({ on: z.boolean() }), Shell),
  /** Where the window is asked to go, told once: the last place that was asked for from outside. A window asks when it opens and at every `shell:place`. */
  'shell:takePlace': request('write', Empty, z.object({ place: PlaceSchema.nullable() })),
  /** Contacts the feed's address, and nothing else does. */
  'updates:check': request('write', Empty, Shell),
  /** Fetches the version that the last check found. Answers when it is there, proved and ready. */
  'updates:download': request('write', Empty, Shell),
  /** Ends Gantry, puts the fetched version in place and starts it. `conflict` while a call runs or an approval waits. */
  'updates:restart': request('write', Empty, Empty),
  /** Every package that ships with Gantry. Made at build; `not_found` where nothing was built. */
  'about:licences': request('read', Empty, z.object({ licences: z.array(LicenceSchema) })),
  'about:licence': request('read', z.object({ name: z.string(), version: z.string() }), z.object({ licence: LicenceSchema, text: z.string().nullable() })),
} as const;
