import type { Definition } from '../../shared/capability.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import type { DiscoveryReading } from '../../shared/server.ts';
import { Bus } from '../bus.ts';
import type { DiscoveredLists } from '../servers/discovered-lists.ts';
import { openTestStore } from '../store/open-test-store.ts';
import { insertServer } from '../store/servers.ts';
import type { SqliteStore } from '../store/database.ts';
import { CapabilityRegistry } from './registry.ts';
import type { SchemaChecker } from './schema-checker.ts';
import type { CatalogReview } from './standing.ts';

const reading = (count: number): DiscoveryReading => ({ outcome: 'read', count, partial: false, malformed: [] });

/** A registry over a real store and a real schema worker, for tests; only the clock and the servers' states are the test's own. */
export class TestRegistry {
  readonly store: SqliteStore;
  readonly bus = new Bus();
  readonly schemas: SchemaChecker;
  readonly catalog = new Map<string, CatalogReview>();
  readonly states = new Map<string, { readonly ready: boolean; readonly reason?: string }>();
  readonly launches = new Map<string, string>();
  now = 1_000;
  registry: CapabilityRegistry;

  /** `schemas`: one checker may serve all tests of a file; its owner closes it */
  constructor(schemas: SchemaChecker) {
    this.schemas = schemas;
    this.store = openTestStore();
    this.registry = this.open();
  }

  /** As a restart of the host does: a new registry over the same store. */
  open(): CapabilityRegistry {
    this.registry = new CapabilityRegistry({
      store: this.store,
      bus: this.bus,
      clock: { now: () => this.now, monotonic: () => this.now },
      schemas: this.schemas,
      catalogReviews: (serverId) => (toolName) => this.catalog.get(`${serverId}/${toolName}`) ?? null,
      launchFingerprintOf: (serverId) => this.launches.get(serverId) ?? null,
      serverStateOf: (serverId) => this.states.get(serverId) ?? { ready: false, reason: 'not connected' },
    });
    return this.registry;
  }

  server(id: string): void {
    this.store.write((db) =>
      insertServer(db, {
        id, name: id, spec: { kind: 'command', command: 'server' }, args: [], env: {}, headers: {}, placeholders: null, home: 'own', enabled: true, required: false,
        era: null, eraAt: null, marketEntryId: null, quarantinedAt: null, consentedFingerprint: null, createdAt: this.now,
      }),
    );
    this.states.set(id, { ready: true });
    this.launches.set(id, `launch-of-${id}`);
  }

  async offer(serverId: string, tools: readonly Definition[], more: Partial<DiscoveredLists> & { readonly kind?: CapabilityKind } = {}): Promise<void> {
    this.now += 10;
    const { kind = 'tool', ...rest } = more;
    await this.registry.register({
      serverId,
      at: this.now,
      launchFingerprint: this.launches.get(serverId) ?? '',
      serverInfo: { name: serverId, version: '1' },
      fact: { at: this.now, launchFingerprint: this.launches.get(serverId) ?? '', tools: reading(tools.length), resources: reading(0), resourceTemplates: reading(0), prompts: reading(0) },
      definitions: tools.map((definition) => ({ kind, definition })),
      ...rest,
    });
  }

  close(): void {
    this.store.close();
  }
}
