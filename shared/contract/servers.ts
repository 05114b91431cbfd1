import { z } from 'zod';
import { ServerLogLevelSchema } from '../log-level-schema.ts';
import { ArgumentInputSchema, ConfigValueInputSchema, ErrorWordsSchema, LaunchSchema, LogLineSchema, PlaceholderInputSchema, PlaceholderNameSchema, ReachedPlaceSchema, ServerDetailSchema, ServerIdSchema, ServerSpecSchema, ServerSummarySchema } from '../server.ts';
import { FaultSchema } from '../fault-schema.ts';
import { AgreeableKindSchema } from '../address-agreement.ts';
import { ContactSchema } from '../outbound.ts';
import { PendingSignInSchema } from '../sign-in.ts';
import { Empty, request } from './define.ts';

const ById = z.object({ serverId: ServerIdSchema });
const Values = z.record(z.string(), ConfigValueInputSchema);
const Placeholders = z.record(PlaceholderNameSchema, PlaceholderInputSchema);
const Connected = z.object({ state: z.string(), code: z.string().optional(), fault: FaultSchema.optional() });

/** Fields a user may change; absent means unchanged; null in `env`/`headers`/`placeholders` removes that name. `args` replaces all arguments; `{secretRef}` keeps a sealed one of this server. */
const UpdateInput = ById.extend({
  name: z.string().min(1).max(80).optional(),
  args: z.array(z.union([ArgumentInputSchema, z.object({ secretRef: z.string() })])).optional(),
  env: z.record(z.string(), ConfigValueInputSchema.nullable()).optional(),
  headers: z.record(z.string(), ConfigValueInputSchema.nullable()).optional(),
  placeholders: z.record(PlaceholderNameSchema, PlaceholderInputSchema.nullable()).optional(),
  url: z.string().optional(),
  command: z.string().optional(),
  cwd: z.string().optional(),
  version: z.string().optional(),
  home: z.enum(['own', 'user']).optional(),
  required: z.boolean().optional(),
  errorWords: ErrorWordsSchema.optional(),
  /** all folders that this server is told when it asks for roots: absolute paths; an empty list names none */
  roots: z.array(z.string().min(1).max(4000)).max(50).optional(),
  logLevel: ServerLogLevelSchema.optional(),
  /** consent to the launch that this change makes, from someone who knows it */
  consent: z.boolean().optional(),
});

export const serversRequests = {
  /** What would run, before anything is installed or started. Writes nothing. */
  'servers:preview': request(
    'read',
    z.object({ spec: ServerSpecSchema, name: z.string().min(1).max(80).optional(), args: z.array(ArgumentInputSchema).optional(), env: Values.optional(), headers: Values.optional(), placeholders: Placeholders.optional(), home: z.enum(['own', 'user']).optional(), marketEntryId: z.string().optional() }),
    z.object({ serverId: z.string(), launch: LaunchSchema, warnings: z.array(z.object({ code: z.string(), detail: z.string(), field: z.string().optional(), remedy: z.string().optional() })) }),
  ),
  /**
   * Adds, and for npm installs. The act of adding is the consent to the launch that preview showed, unless consent is false.
   * Resolves when installed; with wait:false at once, and install:progress events follow.
   */
  'servers:add': request(
    'write',
    z.object({
      spec: ServerSpecSchema,
      serverId: ServerIdSchema.optional(),
      name: z.string().min(1).max(80).optional(),
      /** follow those of the spec */
      args: z.array(ArgumentInputSchema).optional(),
      env: Values.optional(),
      headers: Values.optional(),
      /** with it, `${name}` in arguments, plain values and the address is filled in at each start; without it, it is plain text */
      placeholders: Placeholders.optional(),
      home: z.enum(['own', 'user']).optional(),
      required: z.boolean().optional(),
      errorWords: ErrorWordsSchema.optional(),
      logLevel: ServerLogLevelSchema.optional(),
      /** false: added switched off */
      enabled: z.boolean().optional(),
      consent: z.boolean().optional(),
      allowScripts: z.array(z.string()).optional(),
      marketEntryId: z.string().optional(),
      /** the person knows that the publisher withdrew this market entry and wants it all the same */
      acceptWithdrawn: z.boolean().optional(),
      wait: z.boolean().optional(),
    }),
    z.object({ serverId: z.string() }),
  ),
  'servers:cancelInstall': request('write', ById, Empty),
  /** Resolves when ready or unavailable. `consent` carries the launch fingerprint the person has just seen. */
  'servers:connect': request('write', ById.extend({ consent: z.string().optional() }), Connected),
  'servers:list': request('read', Empty, z.object({ servers: z.array(ServerSummarySchema) })),
  'servers:get': request('read', ById, z.object({ server: ServerDetailSchema })),
  /** Its icon as the host re-encoded it: PNG of at most 64x64 pixels in base64, or null. */
  'servers:icon': request('read', ById, z.object({ png: z.string().nullable() })),
  'servers:update': request('write', UpdateInput, z.object({ launchChanged: z.boolean(), fingerprint: z.string() })),
  'servers:enable': request('write', ById, Empty),
  'servers:disable': request('write', ById, Empty),
  'servers:remove': request('write', ById, Empty),
  'servers:discover': request('write', ById, Connected),
  'servers:logs': request('read', ById.extend({ afterSeq: z.number().optional() }), z.object({ lines: z.array(LogLineSchema), droppedLines: z.number(), nextSeq: z.number() })),
  /** Killed, revoked, evidence kept; says what it could read and which secrets to rotate. */
  'servers:quarantine': request(
    'write',
    ById.extend({ reason: z.string().optional() }),
    z.object({ readable: z.array(ReachedPlaceSchema), secretsToRotate: z.array(z.string()), revokedGrants: z.number() }),
  ),
  /** Out of quarantine, and switched off until a person switches it on. One that is in none stays as it is. */
  'servers:release': request('write', ById, Empty),
  /**
   * Begins a sign-in at the login server that a remote server names, or finds the one that waits: the page for the person's browser, with what they have to see before.
   * `wait`: resolves when it has ended and the server was connected with it. `agree`: the origin of a fault's details.origin that the person knows and agrees to.
   */
  'servers:sign-in': request('write', ById.extend({ agree: z.url({ protocol: /^https?$/ }).optional(), wait: z.boolean().optional() }), Connected.extend({ pending: PendingSignInSchema })),
  /**
   * The person's word that the name of this server's address leads where a refusal said (fault `address_refused`: details.host, details.kind); null takes it back. The
   * server is connected anew.
   */
  'servers:agree-address': request('write', ById.extend({ host: z.string().min(1).max(300), kind: AgreeableKindSchema.nullable() }), Connected),
  /** Whom the host contacted for this server since its start: what a program on this computer contacts by itself is not seen. */
  'servers:contacted': request('read', ById, z.object({ contacted: z.array(ContactSchema) })),
  'servers:sign-in-cancel': request('write', ById, Empty),
  /** Tokens are dropped at once. `revoked`: the login server took them back; null where it offers no such thing, or there was nothing to take back. */
  'servers:sign-out': request('write', ById, z.object({ revoked: z.boolean().nullable() })),
  /** The client that a person registered for this server, null for none. `port`: of its redirect address, where the login server wants an exact one. */
  'servers:sign-in-client': request(
    'write',
    ById.extend({ client: z.strictObject({ clientId: z.string().trim().min(1).max(2000), clientSecret: z.object({ secret: z.string().min(1) }).optional(), port: z.int().min(1024).max(65535).optional() }).nullable() }),
    z.object({ redirectAddress: z.string() }),
  ),
} as const;
