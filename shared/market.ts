import { z } from 'zod';
import { MARKET_CATEGORY_NAMES } from './market-categories.ts';
import { ENTRY_KINDS } from './market-facets.ts';
import { TierSchema } from './tier-schema.ts';
import { ServerSpecSchema, type ServerSpec } from './server.ts';

export const TextSchema = z.object({ en: z.string(), zh: z.string() });

/**
 * One input an app asks for at installation. A name that begins with `-` is a flag before its value, any other argument a position;
 * `prefix` goes before the value without a space (`Bearer `, `--host=`).
 */
export const MarketInputSchema = z.object({
  target: z.enum(['arg', 'env', 'header']),
  name: z.string(),
  label: TextSchema,
  required: z.boolean(),
  secret: z.boolean(),
  format: z.enum(['string', 'number', 'boolean', 'directory', 'file', 'url']),
  repeated: z.boolean().default(false),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
  prefix: z.string().optional(),
});
export type MarketInput = z.infer<typeof MarketInputSchema>;

/** An exact package that Gantry does not install itself: what the launch of the entry is made of. */
export const OutsidePackageSchema = z.discriminatedUnion('registry', [
  z.strictObject({ registry: z.literal('pypi'), name: z.string(), version: z.string(), program: z.string() }),
  z.strictObject({ registry: z.literal('oci'), image: z.string(), tag: z.string() }),
]);
export type OutsidePackage = z.infer<typeof OutsidePackageSchema>;

/** From where a fact was taken. `ref` names the very thing: a package with its version, a repository with its file and commit, an address. */
export const FACT_SOURCES = ['npm_metadata', 'npm_package', 'observed', 'measured_table', 'registry_sample', 'publisher_repository', 'publisher_page', 'stored_page', 'package_list', 'gantry'] as const;
export const FactSourceSchema = z.strictObject({ facts: z.array(z.string()).min(1), from: z.enum(FACT_SOURCES), ref: z.string().min(1) });
export type FactSource = z.infer<typeof FactSourceSchema>;

/** Why nobody here connected an app; `detail` is what was met, in English. */
export const UNVERIFIED_CODES = ['no_route', 'program_missing', 'needs_account', 'needs_network', 'native_part_missing', 'does_not_start'] as const;
export const UnverifiedSchema = z.strictObject({ code: z.enum(UNVERIFIED_CODES), detail: z.string().min(1) });

/** The publisher asks not to use it any more. `since` is the day it was said, or else the day it was seen; `instead` is another entry's id. */
export const WithdrawnSchema = z.strictObject({ since: z.iso.date(), reason: TextSchema, instead: z.string().optional() });

/** Our review of one tool: tier and purpose by exact name, bound to the definition it was made on when known. */
export const ReviewedToolSchema = z.object({ name: z.string(), tier: TierSchema, purpose: TextSchema, definitionFingerprint: z.string().optional() });
export type ReviewedTool = z.infer<typeof ReviewedToolSchema>;

/** As it is stored: JSON under assets/catalog/, one file an entry, facts only. Discovery information; grants nothing (design section 2). */
export const CatalogFileSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string(),
  publisher: z.string(),
  description: TextSchema,
  kind: z.enum(ENTRY_KINDS),
  transport: z.enum(['stdio', 'streamable-http', 'sse']),
  /** exactly what `servers:add` is given; the inputs are added to it */
  spec: ServerSpecSchema,
  /** for pypi and oci: what `spec` launches */
  package: OutsidePackageSchema.optional(),
  inputs: z.array(MarketInputSchema),
  homepage: z.string().optional(),
  repository: z.string().optional(),
  /** an SPDX expression, or `unknown` */
  licence: z.string(),
  categories: z.array(z.enum(MARKET_CATEGORY_NAMES)),
  /** of the reviewed tools; `unknown` unless all that was observed is reviewed */
  highestTier: TierSchema,
  /** it was installed and connected by `npm run catalog:verify`, and what it said is in assets/observed/ */
  verified: z.boolean(),
  unverified: UnverifiedSchema.optional(),
  withdrawn: WithdrawnSchema.optional(),
  source: z.array(FactSourceSchema).min(1),
  checkedAt: z.string(),
  reviewer: z.string(),
  reviewedTools: z.array(ReviewedToolSchema),
});
export type CatalogFile = z.infer<typeof CatalogFileSchema>;

/** A server made from an entry. `update`: the catalog's version, where it is newer than the installed one; `sizeBytes`: on disk, of what Gantry installed. */
export const InstalledAppSchema = z.object({ serverId: z.string(), version: z.string().nullable(), update: z.string().nullable(), sizeBytes: z.number().nullable() });
export type InstalledApp = z.infer<typeof InstalledAppSchema>;

/** As it is shown: with what was observed and which servers were made from it. */
export const MarketEntrySchema = CatalogFileSchema.extend({
  observed: z
    .object({ tools: z.number(), sizeBytes: z.number(), observedAt: z.string(), platform: z.string(), protocolVersion: z.string(), serverName: z.string(), serverVersion: z.string() })
    .nullable()
    .default(null),
  installedServerIds: z.array(z.string()).default([]),
  installed: z.array(InstalledAppSchema).default([]),
});
export type MarketEntry = z.infer<typeof MarketEntrySchema>;

/** The exact launch of a package that is not on npm: pinned, so that another run starts the same thing. Variables reach a container by name alone. */
export const specOfPackage = (outside: OutsidePackage, inputs: readonly MarketInput[]): ServerSpec => {
  switch (outside.registry) {
    case 'pypi':
      return { kind: 'command', command: 'uvx', args: ['--from', `${outside.name}==${outside.version}`, outside.program] };
    case 'oci': {
      const names = inputs.filter((input) => input.target === 'env').flatMap((input) => ['-e', input.name]);
      return { kind: 'command', command: 'docker', args: ['run', '-i', '--rm', ...names, `${outside.image}:${outside.tag}`] };
    }
  }
};

/** What has to be on this computer before an entry can start, and whether it is; `found` is its absolute file. */
export const PreflightSchema = z.object({ program: z.string(), found: z.string().nullable(), remedy: z.string() });
export type Preflight = z.infer<typeof PreflightSchema>;
