import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';
import { AddressAgreementSchema } from './address-agreement.ts';
import { ServerLogLevelSchema } from './log-level-schema.ts';
import { SignInSchema } from './sign-in.ts';

/** Server ids: lower-case letters, digits, hyphens; no colon; `host` is reserved (design section 2). */
export const ServerIdSchema = z.string().regex(/^(?!host$)[a-z0-9][a-z0-9-]{0,47}$/);

export const ServerSpecSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('builtin'), name: z.string().min(1) }),
  z.strictObject({ kind: z.literal('npm'), package: z.string().min(1), version: z.string().min(1).optional(), args: z.array(z.string()).optional() }),
  z.strictObject({ kind: z.literal('command'), command: z.string().min(1), args: z.array(z.string()).optional(), cwd: z.string().optional() }),
  z.strictObject({ kind: z.literal('http'), url: z.url({ protocol: /^https?$/ }) }),
]);
export type ServerSpec = z.infer<typeof ServerSpecSchema>;

/** What a caller gives: plain text, or a secret value that is stored sealed and shown never again. */
export const ConfigValueInputSchema = z.union([z.string(), z.object({ secret: z.string().min(1) })]);
export type ConfigValueInput = z.infer<typeof ConfigValueInputSchema>;
/** What is stored and shown: plain text, or the reference of a secret. */
export const ConfigValueSchema = z.union([z.object({ plain: z.string() }), z.object({ secretRef: z.string() })]);
export type ConfigValue = z.infer<typeof ConfigValueSchema>;

/** One argument as it is given: plain text, or a secret that is sealed. For an app whose author takes it in no other place: other programs can see the arguments of a process. */
export const ArgumentInputSchema = z.union([z.string(), z.object({ secret: z.string().min(1) })]);
export type ArgumentInput = z.infer<typeof ArgumentInputSchema>;
/** One argument as it is stored and shown: plain text, or the reference of a secret. */
export const ArgumentSchema = z.union([z.string(), z.object({ secretRef: z.string() })]);
export type Argument = z.infer<typeof ArgumentSchema>;

/** Name of a placeholder, as it stands between `${` and `}`. */
export const PlaceholderNameSchema = z.string().min(1).max(200).regex(/^[^{}]+$/);
/** What fills a placeholder, as it is given: a variable of the host's own environment (`secret`: its value is masked wherever it turns up), or a secret that is sealed. */
export const PlaceholderInputSchema = z.union([z.strictObject({ variable: z.string().min(1).max(254), secret: z.boolean() }), z.strictObject({ secret: z.string().min(1) })]);
export type PlaceholderInput = z.infer<typeof PlaceholderInputSchema>;
/** The same as it is stored and shown. */
export const PlaceholderSchema = z.union([z.strictObject({ variable: z.string(), secret: z.boolean() }), z.strictObject({ secretRef: z.string() })]);
export type Placeholder = z.infer<typeof PlaceholderSchema>;
/** Placeholders by name. Arguments, plain values and the address of a server that has them are filled in at each start, for this server only. */
export const PlaceholdersSchema = z.record(z.string(), PlaceholderSchema);
export type Placeholders = z.infer<typeof PlaceholdersSchema>;

export const ServerStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('installing'), step: z.string(), done: z.number().optional(), total: z.number().optional() }),
  z.object({ state: z.literal('installed') }),
  z.object({ state: z.literal('connecting'), since: z.number(), latestLine: z.string().optional() }),
  z.object({ state: z.literal('discovering'), since: z.number() }),
  z.object({ state: z.literal('ready'), since: z.number() }),
  z.object({ state: z.literal('stopping'), since: z.number() }),
  z.object({ state: z.literal('unavailable'), since: z.number(), code: z.string(), fault: FaultSchema, retryAt: z.number().optional(), tries: z.number().optional() }),
]);
export type ServerState = z.infer<typeof ServerStateSchema>;
export type ServerStateName = ServerState['state'];

/** What a model is told of an error of a server's tool: its words (redacted, bounded, marked untrusted), or their category alone. */
export const ErrorWordsSchema = z.enum(['words', 'category']);
export type ErrorWords = z.infer<typeof ErrorWordsSchema>;

/** One step of the server's line, with its time (ms since epoch) and the fact that proves it. */
export const ServerFactSchema = z.object({
  step: z.enum(['installed', 'consented', 'connected', 'discovered', 'access', 'update', 'quarantine', 'failure', 'retry', 'circuit']),
  at: z.number(),
  ok: z.boolean(),
  data: z.record(z.string(), z.unknown()),
});
export type ServerFact = z.infer<typeof ServerFactSchema>;

const circuitAbout = {
  /** failures in succession since the last answer */
  failures: z.number(),
  /** since when it is not closed (ms since epoch) */
  since: z.number(),
  /** what opened it */
  code: z.string(),
  message: z.string(),
  /** probes sent since then */
  probes: z.number(),
  /** the pause that the endpoint asked for (Retry-After), in ms, before it was clamped */
  askedMs: z.number().optional(),
};
/** Whether a source may be used. `open`: nothing is sent until `until`; absent: until something changes. `half_open`: a probe is under way. */
export const CircuitStateSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('closed'), failures: z.number() }),
  z.object({ state: z.literal('open'), ...circuitAbout, until: z.number().optional() }),
  z.object({ state: z.literal('half_open'), ...circuitAbout }),
]);
export type CircuitState = z.infer<typeof CircuitStateSchema>;

/** One reading of one primitive. A failure is never shown as zero. */
export const DiscoveryReadingSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('read'), count: z.number(), partial: z.boolean(), malformed: z.array(z.object({ index: z.number(), reason: z.string() })) }),
  z.object({ outcome: z.literal('not_offered') }),
  z.object({ outcome: z.literal('failed'), fault: FaultSchema }),
]);
export type DiscoveryReading = z.infer<typeof DiscoveryReadingSchema>;
export const DiscoveryFactSchema = z.object({
  at: z.number(),
  launchFingerprint: z.string(),
  tools: DiscoveryReadingSchema,
  resources: DiscoveryReadingSchema,
  resourceTemplates: DiscoveryReadingSchema,
  prompts: DiscoveryReadingSchema,
});
export type DiscoveryFact = z.infer<typeof DiscoveryFactSchema>;

/** Exactly what will run (or be contacted); secrets appear as their reference. What is shown is what runs. */
export const LaunchSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stdio'),
    command: z.string(),
    args: z.array(ArgumentSchema),
    cwd: z.string(),
    env: z.record(z.string(), ConfigValueSchema),
    /** names taken from the host's own environment (allow-list) */
    inheritedEnv: z.array(z.string()),
    home: z.string(),
    package: z.object({ name: z.string(), version: z.string(), integrity: z.string(), lockSha256: z.string() }).optional(),
    /** what the placeholders in its arguments and values stand for; absent where nothing is filled in */
    placeholders: PlaceholdersSchema.optional(),
    fingerprint: z.string(),
  }),
  z.object({ kind: z.literal('http'), url: z.string(), headers: z.record(z.string(), ConfigValueSchema), placeholders: PlaceholdersSchema.optional(), fingerprint: z.string() }),
]);
export type Launch = z.infer<typeof LaunchSchema>;

/**
 * What code of a launch could reach while it ran. `name` is the folder, the number of the argument from 0, the variable, the header or the address;
 * empty for the files of the account.
 */
export const ReachedPlaceSchema = z.object({ what: z.enum(['account_files', 'home', 'argument', 'environment', 'header', 'sent_to']), name: z.string() });
export type ReachedPlace = z.infer<typeof ReachedPlaceSchema>;

export const InstallationSchema = z.object({
  kind: z.enum(['builtin', 'npm']),
  package: z.string(),
  version: z.string(),
  integrity: z.string(),
  /** where it was installed from; absent for built-in apps and where that was not recorded yet */
  registry: z.string().optional(),
  lockSha256: z.string(),
  dir: z.string(),
  entry: z.string(),
  sizeBytes: z.number(),
  installedAt: z.number(),
  /** packages that carry install scripts, and whether the user opted in by name */
  scripts: z.array(z.object({ package: z.string(), allowed: z.boolean() })),
});
export type Installation = z.infer<typeof InstallationSchema>;

export const ServerSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  /** `unreadable`: the stored row cannot be read (status: row_unreadable); it can only be removed */
  spec: z.union([ServerSpecSchema, z.strictObject({ kind: z.literal('unreadable') })]),
  enabled: z.boolean(),
  required: z.boolean(),
  quarantinedAt: z.number().nullable(),
  status: ServerStateSchema,
  /** the status word once more, flat, for scripts */
  state: z.string(),
  code: z.string().optional(),
  toolCount: z.number().nullable(),
  grantedCount: z.number(),
  /** its tools for the built-in agent: allowed, and those that could be allowed now */
  agentAccess: z.object({ tools: z.number(), allowed: z.number(), allowable: z.number() }),
  /** SHA-256 of its icon (servers:icon), which the host re-encoded; absent when there is none */
  icon: z.string().optional(),
  /** the market's entry that it was made from or is the app of; absent when the catalog has none */
  marketEntryId: z.string().optional(),
  /** of its circuit where it is not closed: nothing is sent to it, or one probe is under way */
  circuitState: z.enum(['open', 'half_open']).optional(),
  createdAt: z.number(),
});
export type ServerSummary = z.infer<typeof ServerSummarySchema>;

export const ServerDetailSchema = ServerSummarySchema.extend({
  spec: ServerSpecSchema,
  launch: LaunchSchema,
  consentedFingerprint: z.string().nullable(),
  installation: InstallationSchema.nullable(),
  args: z.array(ArgumentSchema),
  env: z.record(z.string(), ConfigValueSchema),
  headers: z.record(z.string(), ConfigValueSchema),
  /** null where `${..}` is plain text */
  placeholders: PlaceholdersSchema.nullable(),
  /** the home folder an app sees: its own (default) or the user's */
  home: z.enum(['own', 'user']),
  errorWords: ErrorWordsSchema,
  /** folders that it is told when it asks for roots */
  roots: z.array(z.string()),
  logLevel: ServerLogLevelSchema,
  facts: z.array(ServerFactSchema),
  discovery: DiscoveryFactSchema.nullable(),
  connection: z
    .object({
      transport: z.enum(['stdio', 'streamable-http', 'sse']),
      protocolVersion: z.string(),
      era: z.enum(['legacy', 'modern']),
      serverInfo: z.object({ name: z.string(), version: z.string(), title: z.string().optional() }),
      instructions: z.string().optional(),
      connectMs: z.number(),
      pid: z.number().optional(),
    })
    .nullable(),
  diagnostics: z.object({
    junkLines: z.number(),
    junkSamples: z.array(z.string()),
    stderrDroppedLines: z.number(),
    anomalies: z.array(z.object({ at: z.number(), what: z.string() })),
    restarts: z.number(),
  }),
  circuit: CircuitStateSchema,
  /** null for a program on this computer, and where a key of the person's own is configured */
  signIn: SignInSchema.nullable(),
  /** where the person agreed that the name of its address may lead */
  addressAgreements: z.array(AddressAgreementSchema),
  answers: z.lazy(() => FourAnswersSchema),
});
export type ServerDetail = z.infer<typeof ServerDetailSchema>;

/** The four questions of design section 1, each answered by a fact with its evidence. */
export const ANSWER_FACTS = [
  // identity: numbers {ids, fingerprints, duplicates}
  'identity.kept', 'identity.nothing_discovered', 'identity.duplicates',
  // access: numbers {granted, admitted, total, changes}
  'access.yours', 'access.nothing_to_decide',
  // line: numbers {calls}; every call of the product passes the line, so this is yes once one did
  'line.every_call', 'line.no_call_yet',
  // failures: numbers {failures, unknown, lastUnknownAt}
  'failures.none', 'failures.exact', 'failures.outcome_unknown',
] as const;
/** `fact` is a key the renderer words in the user's language with `numbers`. */
export const AnswerSchema = z.object({ answer: z.enum(['yes', 'not_yet', 'no']), fact: z.enum(ANSWER_FACTS), numbers: z.record(z.string(), z.number()) });
export const FourAnswersSchema = z.object({ identity: AnswerSchema, access: AnswerSchema, line: AnswerSchema, failures: AnswerSchema });
export type FourAnswers = z.infer<typeof FourAnswersSchema>;

/** `count`: so often in succession, the latest at `lastAt`; absent is once. */
export const LogLineSchema = z.object({ seq: z.number(), at: z.number(), source: z.enum(['stderr', 'stdout-junk', 'log', 'host']), text: z.string(), count: z.number().optional(), lastAt: z.number().optional() });
export type LogLine = z.infer<typeof LogLineSchema>;
