import { z } from 'zod';
import { DataOverviewSchema } from '../data.ts';
import { RESET_WORDS } from '../reset-word.ts';
import { FaultSchema } from '../fault-schema.ts';
import { Empty, request } from './define.ts';

const confirm = z.enum(RESET_WORDS);
const ResetSchema = z.union([z.strictObject({ what: z.literal('settings'), confirm }), z.strictObject({ what: z.literal('everything'), database: z.enum(['set_aside', 'remove']), confirm })]);

export const dataRequests = {
  /** Reads the whole data folder in a thread of its own; `data:progress` tells how far it is. `conflict` while it is being measured already. */
  'data:measure': request('read', Empty, z.object({ overview: DataOverviewSchema })),
  /** Removes items of the last measure by their ids. Each is judged again first: what came into use meanwhile, or is no longer there, is kept and said. */
  'data:cleanup': request('write', z.object({ ids: z.array(z.string().max(1000)).min(1).max(10_000) }), z.object({ removed: z.array(z.string()), freedBytes: z.number(), kept: z.array(z.object({ id: z.string(), fault: FaultSchema })) })),
  /** Shows the data folder in the system's file manager; `not_in_this_shell` in a browser window. */
  'data:open': request('write', Empty, Empty),
  /**
   * `settings`: every setting has its default again. `everything`: servers are stopped and removed with their packages, homes, secrets and entries in
   * the system's keychain, with grants, rules and settings; the database is set aside without its secrets, or removed with all its copies. Gantry
   * begins anew in the same process. `confirm` is typed by a person.
   */
  'data:reset': request('write', ResetSchema, z.object({ what: z.enum(['settings', 'everything']), setAside: z.string().nullable() })),
  /** A text for a report of a problem, redacted; it is made here and sent nowhere. */
  'report:make': request('read', Empty, z.object({ fileName: z.string(), text: z.string() })),
} as const;
