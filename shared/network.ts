import { z } from 'zod';
import { NPM_SCOPE } from './npm-scope.ts';
import { FaultSchema } from './fault-schema.ts';

export const ProxyModeSchema = z.enum(['system', 'off', 'manual']);

export const NpmScopeSchema = z.strictObject({ scope: z.string().regex(NPM_SCOPE.name).max(NPM_SCOPE.nameMost), registry: z.string().max(NPM_SCOPE.registryMost) });

/** One certificate of the company's file. Times in ms since epoch; the fingerprint is SHA-256 as pairs of hex digits. */
export const CertificateFactsSchema = z.object({ subject: z.string(), issuer: z.string(), fingerprint: z.string(), validFrom: z.number(), validTo: z.number() });
export type CertificateFacts = z.infer<typeof CertificateFactsSchema>;

export const CompanyCertificateSchema = z.object({
  /** as it was given: a path, or the name of the picked file */
  name: z.string(),
  addedAt: z.number(),
  certificates: z.array(CertificateFactsSchema),
});
export type CompanyCertificate = z.infer<typeof CompanyCertificateSchema>;

/** The network as it is used now. Holds no password and no token. */
export const NetworkStatusSchema = z.object({
  proxy: z.object({
    mode: ProxyModeSchema,
    /** without name and password; null: connections go straight */
    http: z.string().nullable(),
    https: z.string().nullable(),
    bypass: z.array(z.string()),
    /** environment variables that were used */
    from: z.array(z.string()),
    /** they were found in the login shell only */
    fromLoginShell: z.boolean(),
    passwordSet: z.boolean(),
    problem: FaultSchema.nullable(),
  }),
  certificate: CompanyCertificateSchema.nullable(),
  /** the copy in the data folder is not what was added; it is not used */
  certificateProblem: FaultSchema.nullable(),
  npm: z.object({
    registry: z.string(),
    from: z.enum(['settings', 'npm_configuration', 'default']),
    scopes: z.array(NpmScopeSchema),
    tokenSet: z.boolean(),
  }),
});
export type NetworkStatus = z.infer<typeof NetworkStatusSchema>;

export const TEST_STEPS = ['route', 'dns', 'connect', 'proxy', 'tls', 'answer'] as const;
/** One step of a test; `facts` are what was seen, in plain values; times in ms since the step before. */
export const TestStepSchema = z.object({
  step: z.enum(TEST_STEPS),
  ok: z.boolean(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  ms: z.number(),
});
export type TestStep = z.infer<typeof TestStepSchema>;

export const ConnectionTestSchema = z.object({
  /** the address that was asked, without name and password */
  target: z.string(),
  ok: z.boolean(),
  steps: z.array(TestStepSchema),
  fault: FaultSchema.nullable(),
});
export type ConnectionTest = z.infer<typeof ConnectionTestSchema>;
