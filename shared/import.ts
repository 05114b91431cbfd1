import { z } from 'zod';
import { FaultSchema } from './fault-schema.ts';
import { ConfigValueInputSchema } from './server.ts';

/** Programs whose MCP settings are looked for, and the two other ways a configuration comes. */
export const IMPORT_HOSTS = ['claude-desktop', 'claude-code', 'vscode', 'cursor', 'windsurf', 'cline', 'codex', 'zed', 'gemini-cli', 'lm-studio', 'copilot-cli', 'file', 'text', 'link'] as const;
export type ImportHost = (typeof IMPORT_HOSTS)[number];

/** Why a field of the source is not taken over. The renderer words each. */
export const NOT_BROUGHT_REASONS = [
  'grants', 'tool_choice', 'timeouts', 'sign_in', 'env_file', 'helper_command', 'host_feature', 'extension', 'description', 'other_transport', 'unset_variable', 'bad_name', 'bad_value', 'duplicate', 'dangerous', 'other_setting', 'unknown',
] as const;
export type NotBroughtReason = (typeof NOT_BROUGHT_REASONS)[number];
/** `field` is the path in the source, `shown` its value with what may be secret masked. */
export const NotBroughtSchema = z.object({ field: z.string(), reason: z.enum(NOT_BROUGHT_REASONS), shown: z.string() });
export type NotBrought = z.infer<typeof NotBroughtSchema>;

export const IMPORT_WARNINGS = [
  'shell', 'inline_code', 'package_address', 'shell_characters', 'container_mount', 'container_privileged', 'hidden_characters', 'padding', 'plain_http', 'unknown_launcher', 'command_split', 'wrapper_removed', 'relative_path', 'env_file',
] as const;

/** Why a value counts as a secret, or `plain`. */
export const SECRET_REASONS = ['plain', 'name', 'shape', 'header', 'flag', 'declared', 'address'] as const;
export type SecretReason = (typeof SECRET_REASONS)[number];

/**
 * One value as it would come over. `place`: `arg.2` (from 1, of the command as it was read), `written.2` (as it was written), `env.NAME`, `header.NAME`,
 * `url.query.NAME`, `url.path.3`, `command`, `cwd`, `url`. `shown` is `prefix` followed by the text, or by its mask when it counts as a secret.
 */
export const ImportValueSchema = z.object({
  place: z.string(),
  prefix: z.string(),
  shown: z.string(),
  secret: z.boolean(),
  why: z.enum(SECRET_REASONS),
  /** names of what it asks for, see `asks` */
  asks: z.array(z.string()),
});
export type ImportValue = z.infer<typeof ImportValueSchema>;

/**
 * What has to be said before a server can come over. `variable`: it wants to read a variable of this computer; `input`: the source asks for a value;
 * `place`: a folder or fact that only the other program knows; `blank`: a text that stands for a value somebody has to fill in.
 */
export const ImportAskSchema = z.object({
  name: z.string(),
  kind: z.enum(['variable', 'input', 'place', 'blank']),
  variable: z.string().nullable(),
  /** of a variable: whether it is set where Gantry runs */
  present: z.boolean(),
  description: z.string(),
  default: z.string().nullable(),
  choices: z.array(z.string()),
  secret: z.boolean(),
  required: z.boolean(),
  /** fixed when it comes over and not filled in at each start: it stands in the command, the folder or the host of the address */
  fixed: z.boolean(),
  places: z.array(z.string()),
});
export type ImportAsk = z.infer<typeof ImportAskSchema>;

/** One way to run it. `args` are places. `npm`: as an app that Gantry installs, exact version asked from the registry then. */
export const ImportLaunchSchema = z.discriminatedUnion('as', [
  z.object({ as: z.literal('npm'), package: z.string(), version: z.string().nullable(), args: z.array(z.string()) }),
  z.object({ as: z.literal('command'), command: z.string(), args: z.array(z.string()), cwd: z.string().nullable() }),
  z.object({ as: z.literal('written'), command: z.string(), args: z.array(z.string()), cwd: z.string().nullable() }),
  z.object({ as: z.literal('http'), url: z.string() }),
]);
export type ImportLaunch = z.infer<typeof ImportLaunchSchema>;
export const ImportAsSchema = z.enum(['npm', 'command', 'written', 'http']);
export type ImportAs = z.infer<typeof ImportAsSchema>;

export const ImportServerSchema = z.object({
  /** names it in `import:apply` */
  key: z.string(),
  name: z.string(),
  sources: z.array(z.object({ host: z.enum(IMPORT_HOSTS), path: z.string().nullable(), name: z.string(), place: z.string() })),
  /** the first is what is proposed */
  launches: z.array(ImportLaunchSchema),
  values: z.array(ImportValueSchema),
  asks: z.array(ImportAskSchema),
  /** it was switched off there */
  disabled: z.boolean(),
  /** names of variables that change how programs load code: left out unless they are named in `dangerous` */
  dangerous: z.array(z.string()),
  warnings: z.array(z.object({ code: z.enum(IMPORT_WARNINGS), detail: z.string() })),
  notBrought: z.array(NotBroughtSchema),
  /** servers here that are the same, or have the same name */
  existing: z.array(z.object({ serverId: z.string(), name: z.string(), how: z.enum(['same', 'name']) })),
  /** why it cannot come over */
  fault: FaultSchema.nullable(),
  /** can come over, is new, and nothing about it needs a second look */
  suggested: z.boolean(),
});
export type ImportServer = z.infer<typeof ImportServerSchema>;

export const ImportSourceSchema = z.object({
  host: z.enum(IMPORT_HOSTS),
  path: z.string().nullable(),
  state: z.enum(['read', 'absent', 'failed']),
  fault: FaultSchema.nullable(),
  servers: z.number(),
  /** fields of the file that belong to no one server */
  notBrought: z.array(NotBroughtSchema),
});
export type ImportSource = z.infer<typeof ImportSourceSchema>;

/** Nothing of it is stored; the host holds the values it masks until the preview is forgotten or 30 minutes old. */
export const ImportPreviewSchema = z.object({ previewId: z.string(), sources: z.array(ImportSourceSchema), servers: z.array(ImportServerSchema) });
export type ImportPreview = z.infer<typeof ImportPreviewSchema>;

/** `host`: read the variable at each start; `value`: this instead; `default`: what the source names; `literal`: as it is written. */
export const AskAnswerSchema = z.discriminatedUnion('use', [
  z.object({ use: z.literal('host'), secret: z.boolean().optional() }),
  z.object({ use: z.literal('value'), value: ConfigValueInputSchema }),
  z.object({ use: z.literal('default') }),
  z.object({ use: z.literal('literal') }),
]);
export type AskAnswer = z.infer<typeof AskAnswerSchema>;

export const ImportPickSchema = z.strictObject({
  key: z.string(),
  as: ImportAsSchema.optional(),
  name: z.string().min(1).max(80).optional(),
  home: z.enum(['own', 'user']).optional(),
  onConflict: z.enum(['keep_both', 'replace']).optional(),
  /** by place: whether it is sealed */
  secret: z.record(z.string(), z.boolean()).optional(),
  /** by place: another text */
  values: z.record(z.string(), ConfigValueInputSchema).optional(),
  /** by name */
  answers: z.record(z.string(), AskAnswerSchema).optional(),
  dangerous: z.array(z.string()).optional(),
});
export type ImportPick = z.infer<typeof ImportPickSchema>;

export const ImportResultSchema = z.object({ key: z.string(), name: z.string(), outcome: z.enum(['added', 'failed']), serverId: z.string().nullable(), replaced: z.string().nullable(), fault: FaultSchema.nullable() });
export type ImportResult = z.infer<typeof ImportResultSchema>;
