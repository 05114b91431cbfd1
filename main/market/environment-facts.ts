import { z } from 'zod';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import { fault } from '../../shared/fault.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/**
 * What the first-party environment server may know. Strict by construction: keys that are not named here are dropped when written,
 * so that no environment value, header, argument, URL or secret of a server can slip in.
 */
export const EnvironmentFactsSchema = z.object({
  format: z.literal('gantry-facts/1'),
  /** ms since epoch */
  writtenAt: z.number(),
  gantry: z.object({ version: z.string(), shell: z.string() }),
  node: z.string(),
  platform: z.string(),
  arch: z.string(),
  osRelease: z.string(),
  cpuCount: z.number().int().min(1),
  memoryBytes: z.number().int().min(0),
  /** BCP 47 */
  locale: z.string(),
  /** IANA */
  timeZone: z.string(),
  featureSwitches: z.record(z.string(), z.union([z.boolean(), z.string(), z.number()])),
  servers: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string(), enabled: z.boolean(), state: z.string() })),
});
export type EnvironmentFacts = z.infer<typeof EnvironmentFactsSchema>;

/** The environment name under which the server finds the file. */
export const FACTS_FILE_VARIABLE = 'GANTRY_FACTS_FILE';

/**
 * Replaces the facts file at once (a reader sees the old or the new whole), mode 0600.
 * Errors: invalid_request (facts of another shape; field names the place), store_write_failed (disk full, no right).
 */
export const writeEnvironmentFacts = async (path: string, facts: EnvironmentFacts): Promise<Result<void>> => {
  const parsed = EnvironmentFactsSchema.safeParse(facts);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return err(fault('invalid_request', `The environment facts do not fit their shape: ${issue?.message ?? 'unknown'}`, { field: issue?.path.join('.') ?? '' }));
  }
  try {
    await writeFileAtomically(path, `${JSON.stringify(parsed.data)}\n`, 0o600);
    return ok(undefined);
  } catch (error) {
    return err(fault('store_write_failed', 'The environment facts could not be written', { remedy: 'Free disk space or check the rights of the data folder.', details: { reason: String((error as { code?: unknown }).code ?? 'unknown') } }));
  }
};
