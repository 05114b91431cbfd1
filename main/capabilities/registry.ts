import type { Scope } from '../../shared/agent-profile.ts';
import type { Capability } from '../../shared/capability.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import type { DiscoveredLists } from '../servers/discovered-lists.ts';
import type { Store } from '../store/database.ts';
import { deleteOrphanDefinitions } from '../store/definitions.ts';
import { countAccessChanges, deleteOrphanGrants, listAccessChanges, type AccessChange } from '../store/grants.ts';
import { deleteOrphanReviews, deleteReviews, putReview, type ReviewRow } from '../store/reviews.ts';
import { AccessDesk, type AccessAnswer, type AccessInput } from './access-desk.ts';
import { CapabilityIndex } from './capability-index.ts';
import { capabilityView } from './capability-view.ts';
import { countCapabilities, type CapabilityCounts } from './counts.ts';
import { sha256Hex } from './fingerprint.ts';
import { Registration } from './registration.ts';
import { RegistryReads } from './registry-reads.ts';
import { reviewTiming, type TimingAsked } from './review-timing.ts';
import type { SchemaChecker } from './schema-checker.ts';
import { Sources, type SourceDeps } from './sources.ts';
import type { CatalogReviews } from './standing.ts';

export interface RegistryDeps extends SourceDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  /** of the server as it is configured now; null for a tool: the catalog says nothing of it, or the server did not come from its entry */
  readonly catalogReviews: (serverId: string) => CatalogReviews;
  readonly schemas: SchemaChecker;
  /** of an agent profile; null: none */
  readonly scopeOf?: ((principal: string) => Scope | null) | undefined;
}
export interface ReviewInput extends TimingAsked {
  readonly capabilityId: string;
  readonly admit: boolean;
  readonly purpose?: string | undefined;
  /** what the person saw; must be the present definition */
  readonly definitionFingerprint?: string | undefined;
}
/**
 * What is known of every server's tools, resources and prompts, who may use them, and whether they may be used now (design section 2).
 * Read from the store at the start; a mirror in memory answers. Emits `capabilities:changed` for a server after each change.
 */
export class CapabilityRegistry extends RegistryReads {
  readonly #deps: RegistryDeps;
  readonly #registration: Registration;
  readonly #access: AccessDesk;

  constructor(deps: RegistryDeps) {
    if (deps.store.state().state !== 'read_only') {
      deps.store.write((db) => {
        deleteOrphanGrants(db);
        deleteOrphanReviews(db);
        deleteOrphanDefinitions(db);
      });
    }
    super({ index: deps.store.read((db) => new CapabilityIndex(db, deps.catalogReviews)), sources: new Sources(deps), scopeOf: deps.scopeOf });
    this.#deps = deps;
    this.#registration = new Registration({ store: deps.store, index: this.index, schemas: deps.schemas });
    this.#access = new AccessDesk({ store: deps.store, index: this.index, clock: deps.clock }, (serverId) => this.#changed(serverId));
    deps.bus.on('server:removed', ({ serverId }) => this.forget(serverId, 'host:server_removed'));
  }

  /** One reading of a server becomes rows, in one transaction. Resolves when it holds; rejects only when the store fails. */
  async register(lists: DiscoveredLists): Promise<void> {
    const departures = this.sources.departures(lists.serverId);
    this.index.askCatalogAnew(lists.serverId);
    if (!(await this.#registration.register(lists))) return;
    this.sources.read(lists.serverId, { at: lists.at, launchFingerprint: lists.launchFingerprint, instructionsFingerprint: lists.instructions === undefined ? null : sha256Hex(lists.instructions) }, departures);
    this.#changed(lists.serverId);
  }

  /** Out of the candidates from now until the server is read again. */
  sourceLeft(serverId: string, reason: string): void {
    this.sources.leave(serverId, reason);
    this.#changed(serverId);
  }

  /** The server is gone: grants and reviews go with it, so that another under its id inherits nothing. The record of changes stays. */
  forget(serverId: string, by: string): void {
    this.#access.revoke(this.index.ofServer(serverId), by);
    const gone = this.index.removeServer(serverId).map((entry) => entry.row.id);
    // its definitions stay until the next start: a reading under way may name the same ones
    this.#deps.store.write((db) => deleteReviews(db, gone));
    this.sources.forget(serverId);
    this.#changed(serverId);
  }

  /** `discovered`: read in this run of the host, or known from before. */
  counts(serverId: string): CapabilityCounts & { readonly discovered: boolean; readonly accessChanges: number } {
    const counts = countCapabilities(serverId, this.index);
    const accessChanges = this.#deps.store.read((db) => countAccessChanges(db, serverId));
    return { ...counts, discovered: counts.total > 0 || this.sources.wasRead(serverId), accessChanges };
  }

  /**
   * A person's review of the present definition. Refusing also takes the grants to it. `equivalentRemains`: another admitted and available capability has the
   * same name or purpose. Errors: `not_found`, `binding_changed` (another definition was seen), `schema_excluded` (an unusable one cannot be admitted),
   * `invalid_request` (a class or key that does not fit).
   */
  review(input: ReviewInput, by: string): Result<{ capability: Capability; equivalentRemains: boolean }, Fault> {
    const found = this.find(input.capabilityId);
    if (!found.ok) return found;
    const entry = found.value;
    const { definitionFingerprint } = entry.row;
    if (input.definitionFingerprint !== undefined && input.definitionFingerprint !== definitionFingerprint) {
      return err(fault('binding_changed', 'The definition changed since it was shown.', { details: { present: definitionFingerprint, shown: input.definitionFingerprint } }));
    }
    const { schemaState } = entry.stored;
    if (input.admit && schemaState.state === 'excluded') return err(fault('schema_excluded', `Its schema cannot be used: ${schemaState.reason}.`, { field: schemaState.pointer }));
    const { purpose, review: before } = this.index.standing(entry);
    const timing = reviewTiming(input, before, { kind: entry.row.kind, inputSchema: entry.stored.definition.inputSchema });
    if (!timing.ok) return timing;
    const review: ReviewRow = {
      capabilityId: entry.row.id,
      definitionFingerprint,
      tier: input.tier,
      admit: input.admit,
      purpose: input.purpose ?? null,
      ...timing.value,
      reviewedBy: by,
      at: this.#deps.clock.now(),
    };
    this.#deps.store.write((db) => {
      putReview(db, review);
      if (!input.admit) this.#access.revoke([entry], by);
    });
    this.index.review(review);
    this.#changed(entry.row.serverId);
    return ok({ capability: capabilityView(entry, this.index, this.sources.reason(entry)), equivalentRemains: this.equivalentsOf(entry, input.purpose ?? purpose).length > 0 });
  }

  setAccess(input: AccessInput, by: string): AccessAnswer {
    return this.#access.set(input, by);
  }

  setAccessOfMany(input: AccessInput, by: string): AccessAnswer | Promise<AccessAnswer> {
    return this.#access.setMany(input, by);
  }

  revokeAll(serverId: string, by: string): number {
    return this.#access.revokeServer(serverId, by);
  }

  /** Newest first; `limit` as in the contract. */
  history(query: { readonly serverId?: string | undefined; readonly limit?: number | undefined } = {}): AccessChange[] {
    return this.#deps.store.read((db) => listAccessChanges(db, { serverId: query.serverId, limit: query.limit ?? 200 }));
  }

  #changed(serverId: string): void {
    this.#deps.bus.emit('capabilities:changed', { serverId });
  }
}
