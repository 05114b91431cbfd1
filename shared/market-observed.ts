import { z } from 'zod';
import { SchemaDefectSchema } from './capability.ts';

/** One tool as the registry kept it after a real connection. The definition itself is not stored: its fingerprint tells whether it moved. */
export const ObservedToolSchema = z.strictObject({
  name: z.string().min(1),
  /** SHA-256 over RFC 8785 of what the server declared (design section 2) */
  definitionFingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  title: z.string().optional(),
  /** the server's own hints, as it gave them: shown, never trusted */
  annotations: z.record(z.string(), z.unknown()).optional(),
  schemaState: z.enum(['checked', 'partly_checked', 'excluded']),
  /** whether it declares what it answers; absent in records made before this was asked */
  outputSchema: z.boolean().optional(),
  /** declared with something that is not the same everywhere: a folder or name of the machine, or what the person sets. Our review then holds for the usual settings, or not at all */
  varies: z.enum(['machine', 'configuration']).optional(),
  /** what keeps its schema, or parts of it, from being judged */
  defects: z.array(SchemaDefectSchema).optional(),
});
export type ObservedTool = z.infer<typeof ObservedToolSchema>;

/**
 * What an app said when `npm run catalog:verify` installed and connected it with Gantry's own installer and connection code.
 * One file an entry under assets/observed/, written by that script alone.
 */
export const ObservedSchema = z.strictObject({
  entryId: z.string(),
  package: z.string(),
  version: z.string(),
  integrity: z.string(),
  /** bytes on disk with everything it depends on, on the platform named here */
  sizeBytes: z.number().int().positive(),
  /** packages whose install scripts were there and were not run */
  scriptsNotRun: z.array(z.string()),
  observedAt: z.iso.date(),
  platform: z.string(),
  node: z.string(),
  server: z.strictObject({ name: z.string(), version: z.string(), title: z.string().optional() }),
  protocolVersion: z.string(),
  era: z.enum(['legacy', 'modern']),
  /** names of the inputs that were given a made-up value, such as a key that opens nothing */
  madeUp: z.array(z.string()),
  /** null: not offered, or the reading failed */
  resources: z.number().int().nullable(),
  prompts: z.number().int().nullable(),
  tools: z.array(ObservedToolSchema),
});
export type Observed = z.infer<typeof ObservedSchema>;
