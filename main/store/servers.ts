import { z } from 'zod';
import { ArgumentSchema, ConfigValueSchema, ErrorWordsSchema, PlaceholdersSchema, ServerSpecSchema, type Argument, type ConfigValue, type ErrorWords, type Placeholders, type ServerSpec } from '../../shared/server.ts';
import type { ServerLogLevel } from '../../shared/log-level.ts';
import { ServerLogLevelSchema } from '../../shared/log-level-schema.ts';
import type { ReadDb, WriteDb } from './database.ts';
import { readRow } from './readable-rows.ts';

/** A configured server as it is stored; times are ms since epoch. `era` is the kept verdict of the protocol negotiation. */
export interface ServerRow {
  readonly id: string;
  readonly name: string;
  readonly spec: ServerSpec;
  /** arguments the user adds to those of the spec */
  readonly args: readonly Argument[];
  readonly env: Readonly<Record<string, ConfigValue>>;
  readonly headers: Readonly<Record<string, ConfigValue>>;
  /** null: `${..}` in its texts is plain text */
  readonly placeholders: Readonly<Placeholders> | null;
  readonly home: 'own' | 'user';
  readonly enabled: boolean;
  readonly required: boolean;
  readonly era: 'legacy' | 'modern' | null;
  readonly eraAt: number | null;
  readonly marketEntryId: string | null;
  readonly quarantinedAt: number | null;
  readonly consentedFingerprint: string | null;
  readonly createdAt: number;
  /** what a model is told of its errors: the server's words, or their category alone; absent is `words` */
  readonly errorWords?: ErrorWords;
  /** folders that the person named, which it is told when it asks; absolute paths */
  readonly roots?: readonly string[];
  /** from which severity on its log is wanted; absent is `default` */
  readonly logLevel?: ServerLogLevel;
}

const json = <T>(schema: z.ZodType<T>) => z.string().transform((text, context): T => {
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: parsed.error.message });
  return z.NEVER;
});
const flag = z.union([z.literal(0), z.literal(1)]).transform((n) => n === 1);

const StoredServerSchema = z.object({
  id: z.string(),
  name: z.string(),
  spec_json: json(ServerSpecSchema),
  args_json: json(z.array(ArgumentSchema)),
  env_json: json(z.record(z.string(), ConfigValueSchema)),
  headers_json: json(z.record(z.string(), ConfigValueSchema)),
  placeholders_json: json(PlaceholdersSchema).nullable(),
  home: z.enum(['own', 'user']),
  enabled: flag,
  required: flag,
  era: z.enum(['legacy', 'modern']).nullable(),
  era_at: z.number().nullable(),
  market_entry_id: z.string().nullable(),
  quarantined_at: z.number().nullable(),
  consented_fingerprint: z.string().nullable(),
  created_at: z.number(),
  error_words: ErrorWordsSchema,
  roots_json: json(z.array(z.string())),
  log_level: ServerLogLevelSchema,
});

const parseRow = (row: unknown): ServerRow => {
  const r = StoredServerSchema.parse(row);
  return {
    id: r.id,
    name: r.name,
    spec: r.spec_json,
    args: r.args_json,
    env: r.env_json,
    headers: r.headers_json,
    placeholders: r.placeholders_json,
    home: r.home,
    enabled: r.enabled,
    required: r.required,
    era: r.era,
    eraAt: r.era_at,
    marketEntryId: r.market_entry_id,
    quarantinedAt: r.quarantined_at,
    consentedFingerprint: r.consented_fingerprint,
    createdAt: r.created_at,
    errorWords: r.error_words,
    roots: r.roots_json,
    logLevel: r.log_level,
  };
};

/** The columns of a row that cannot be read; none where all can. */
export const unreadableColumns = (row: unknown): string[] =>
  Object.entries(StoredServerSchema.shape).flatMap(([column, schema]) => (readRow((row as Record<string, unknown>)[column], (value) => ({ read: schema.parse(value) })) === null ? [column] : []));

/** Null where the row cannot be read. Lists of hundreds are asked for all the time: a row that has not changed is parsed once. */
export const parseServer = (db: ReadDb, row: unknown): ServerRow | null => db.madeOf(`servers ${String((row as { id?: unknown }).id)}`, JSON.stringify(row), () => readRow(row, parseRow));

/** Null where there is none, or it cannot be read (then a notice tells of it at the start). */
export const readServer = (db: ReadDb, serverId: string): ServerRow | null => {
  const row = db.get('SELECT * FROM servers WHERE id = ?', [serverId]);
  return row === undefined ? null : parseServer(db, row);
};

/** Those that can be read. */
export const listServers = (db: ReadDb): ServerRow[] => db.all('SELECT * FROM servers ORDER BY created_at, id').flatMap((row) => parseServer(db, row) ?? []);

/** All of them, unreadable ones too: what belongs to these is not ownerless. */
export const listServerIds = (db: ReadDb): string[] => db.all('SELECT id FROM servers').map((row) => z.object({ id: z.string() }).parse(row).id);

const columns = (row: ServerRow) => ({
  id: row.id,
  name: row.name,
  spec: JSON.stringify(row.spec),
  args: JSON.stringify(row.args),
  env: JSON.stringify(row.env),
  headers: JSON.stringify(row.headers),
  placeholders: row.placeholders === null ? null : JSON.stringify(row.placeholders),
  home: row.home,
  enabled: row.enabled ? 1 : 0,
  required: row.required ? 1 : 0,
  era: row.era,
  eraAt: row.eraAt,
  marketEntryId: row.marketEntryId,
  quarantinedAt: row.quarantinedAt,
  consentedFingerprint: row.consentedFingerprint,
  createdAt: row.createdAt,
  errorWords: row.errorWords ?? 'words',
  roots: JSON.stringify(row.roots ?? []),
  logLevel: row.logLevel ?? 'default',
});

export const insertServer = (db: WriteDb, row: ServerRow): void => {
  db.run(
    `INSERT INTO servers (id, name, spec_json, args_json, env_json, headers_json, placeholders_json, home, enabled, required, era, era_at, market_entry_id, quarantined_at, consented_fingerprint, created_at, error_words, roots_json, log_level)
     VALUES (@id, @name, @spec, @args, @env, @headers, @placeholders, @home, @enabled, @required, @era, @eraAt, @marketEntryId, @quarantinedAt, @consentedFingerprint, @createdAt, @errorWords, @roots, @logLevel)`,
    columns(row),
  );
};

/** Writes the given fields; false when there is no such server. */
export const updateServer = (db: WriteDb, serverId: string, change: Partial<Omit<ServerRow, 'id' | 'createdAt'>>): boolean => {
  const before = readServer(db, serverId);
  if (!before) return false;
  return (
    db.run(
      `UPDATE servers SET name = @name, spec_json = @spec, args_json = @args, env_json = @env, headers_json = @headers, placeholders_json = @placeholders, home = @home, enabled = @enabled, required = @required,
        era = @era, era_at = @eraAt, market_entry_id = @marketEntryId, quarantined_at = @quarantinedAt, consented_fingerprint = @consentedFingerprint, created_at = @createdAt, error_words = @errorWords, roots_json = @roots, log_level = @logLevel WHERE id = @id`,
      columns({ ...before, ...change }),
    ) > 0
  );
};

/** Removes the row; installation, discovery and capabilities go with it (ON DELETE CASCADE). Facts stay as history. */
export const deleteServer = (db: WriteDb, serverId: string): boolean => db.run('DELETE FROM servers WHERE id = ?', [serverId]) > 0;
