import type { Capability, Definition, SchemaState } from '../../shared/capability.ts';
import type { Tier } from '../../shared/tier.ts';

/**
 * What the one decision (CapabilityRegistry.candidate) hands to plan: a capability that this principal may use now, with all that a call binds to.
 * Schemas are the server's originals (design section 6). `launchFingerprint` is the launch that runs at this moment.
 */
export interface Candidate {
  readonly capability: Capability;
  readonly definition: Definition;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown | undefined;
  readonly definitionFingerprint: string;
  readonly bindingFingerprint: string;
  readonly launchFingerprint: string;
  /** `unknown` counts as high everywhere */
  readonly tier: Tier;
  /** `partly_checked` always asks */
  readonly schemaState: SchemaState;
}
