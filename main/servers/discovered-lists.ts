import type { Definition } from '../../shared/capability.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import type { DiscoveryFact } from '../../shared/server.ts';

/** One reading of all that a server offers (design section 2, discovery). Text is the server's own and untrusted. */
export interface DiscoveredLists {
  readonly serverId: string;
  /** ms since epoch */
  readonly at: number;
  readonly launchFingerprint: string;
  readonly instructions?: string;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string };
  readonly fact: DiscoveryFact;
  /** how long the server says its list of tools holds (2026-07-28, `ttlMs`): the least of its pages */
  readonly toolsTtlMs?: number;
  readonly definitions: readonly { readonly kind: CapabilityKind; readonly definition: Definition }[];
}
