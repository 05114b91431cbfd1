import type { Scope } from '../../shared/agent-profile.ts';
import type { Capability, CapabilityDetail, Definition, Funnel } from '../../shared/capability.ts';
import type { AccessPreview, CapabilityFilter } from '../../shared/capability-list.ts';
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
import type { Candidate } from './candidate.ts';
import { CapabilityIndex, type Entry } from './capability-index.ts';
import { accessPreview, rowsOf, type RowsPage, type RowsQuery } from './capability-rows.ts';
import type { SearchedCapability } from './capability-search.ts';
import { capabilityDetail, capabilityView } from './capability-view.ts';
import { countCapabilities, countGranted, countToolAccess, type CapabilityCounts, type ToolAccess } from './counts.ts';
import { decide, lossFault } from './decision.ts';
import { sha256Hex } from './fingerprint.ts';
import { funnelOf } from './funnel.ts';
import { inputSchemaOf } from './input-schema.ts';
import { Registration } from './registration.ts';
import { reviewTiming, type TimingAsked } from './review-timing.ts';
import type { SchemaChecker } from './schema-checker.ts';
import { Sources, type SourceDeps } from './sources.ts';
import type { CatalogReviews } from './standing.ts';
import type { TurnBinding } from './turn-binding.ts';

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
export interface ServerAccess {
  readonly agentAccess: ToolAccess;
  readonly grantedCount: number;
}
/**
 * What is known of every server's tools, resources and prompts, who may use them, and whether they may be used now (design section 2).
 * Read from the store at the start; a mirror in memory answers. Emits `capabilities:changed` for a server after each change.
 */
export class CapabilityRegistry {
  readonly #deps: RegistryDeps;
  readonly #index: CapabilityIndex;
  readonly #sources: Sources;
  readonly #registration: Registration;
  readonly #access: AccessDesk;
  /** as long as the index stands: every event of a server asks for it */
  #needsReview: { readonly version: number; readonly count: number } | null = null;
  /** of what can be called now, as long as the index stands; made once and not for each call */
  readonly #views = new WeakMap<Entry, { readonly version: number; readonly view: Capability }>();
  readonly #accessOf = new Map<string, { readonly version: number; readonly access: ServerAccess }>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    if (deps.store.state().state !== 'read_only') {
      deps.store.write((db) => {
        deleteOrphanGrants(db);
        deleteOrphanReviews(db);
        deleteOrphanDefinitions(db);
      });
    }
    this.#index = deps.store.read((db) => new CapabilityIndex(db, deps.catalogReviews));
    this.#sources = new Sources(deps);
    this.#registration = new Registration({ store: deps.store, index: this.#index, schemas: deps.schemas });
    this.#access = new AccessDesk({ store: deps.store, index: this.#index, clock: deps.clock }, (serverId) => this.#changed(serverId));
    deps.bus.on('server:removed', ({ serverId }) => this.forget(serverId, 'host:server_removed'));
  }

  /** One reading of a server becomes rows, in one transaction. Resolves when it holds; rejects only when the store fails. */
  async register(lists: DiscoveredLists): Promise<void> {
    const departures = this.#sources.departures(lists.serverId);
    this.#index.askCatalogAnew(lists.serverId);
    if (!(await this.#registration.register(lists))) return;
    this.#sources.read(lists.serverId, { at: lists.at, launchFingerprint: lists.launchFingerprint, instructionsFingerprint: lists.instructions === undefined ? null : sha256Hex(lists.instructions) }, departures);
    this.#changed(lists.serverId);
  }

  /** Out of the candidates from now until the server is read again. */
  sourceLeft(serverId: string, reason: string): void {
    this.#sources.leave(serverId, reason);
    this.#changed(serverId);
  }

  /** The server is gone: grants and reviews go with it, so that another under its id inherits nothing. The record of changes stays. */
  forget(serverId: string, by: string): void {
    this.#access.revoke(this.#index.ofServer(serverId), by);
    const gone = this.#index.removeServer(serverId).map((entry) => entry.row.id);
    // its definitions stay until the next start: a reading under way may name the same ones
    this.#deps.store.write((db) => deleteReviews(db, gone));
    this.#sources.forget(serverId);
    this.#accessOf.clear();
    this.#changed(serverId);
  }

  list(query: { readonly serverId?: string | undefined; readonly needsReview?: boolean | undefined } = {}): Capability[] {
    const reasonOf = this.#reasons();
    const out: Capability[] = [];
    for (const entry of this.#entriesOf(query.serverId)) {
      if (query.needsReview !== undefined && this.#index.standing(entry).needsReview !== query.needsReview) continue;
      out.push(capabilityView(entry, this.#index, reasonOf(entry)));
    }
    return out;
  }

  /** The same as rows for a list, one page of what fits. */
  rows(query: RowsQuery): RowsPage {
    return rowsOf(this.#entriesOf(query.serverId), query, this.#index, this.#reasons());
  }

  accessPreview(query: CapabilityFilter & { readonly allowed: boolean }): AccessPreview {
    return accessPreview(this.#entriesOf(query.serverId), query, this.#index, this.#reasons());
  }

  /** What a summary of a server says of its capabilities: its tools for one principal (`allowable` could be granted now and are not), and how many are granted to anyone. */
  serverAccess(serverId: string, principal: string): ServerAccess {
    const place = `${principal} ${serverId}`;
    const before = this.#accessOf.get(place);
    if (before?.version === this.#index.version) return before.access;
    const access = { agentAccess: countToolAccess(serverId, principal, this.#index), grantedCount: countGranted(serverId, this.#index) };
    this.#accessOf.set(place, { version: this.#index.version, access });
    return access;
  }

  /** Every capability with the words it is searched by; `version` is another number after each change. */
  searched(): { readonly version: number; readonly all: readonly SearchedCapability[] } {
    return { version: this.#index.version, all: Array.from(this.#index.all(), ({ row, stored }) => ({ id: row.id, serverId: row.serverId, kind: row.kind, name: row.name, title: stored.definition.title, description: stored.definition.description })) };
  }

  get version(): number {
    return this.#index.version;
  }

  /** Every registered tool, whoever may use it: what names on a model route are told apart from. */
  toolNames(): { readonly id: string; readonly serverId: string; readonly name: string }[] {
    const out: { readonly id: string; readonly serverId: string; readonly name: string }[] = [];
    for (const { row } of this.#index.all()) if (row.kind === 'tool') out.push({ id: row.id, serverId: row.serverId, name: row.name });
    return out;
  }

  /** Every tool as it was last declared, whoever may use it: what a request is ranked against. */
  toolDefinitions(): { readonly id: string; readonly serverId: string; readonly definition: Definition; readonly definitionFingerprint: string }[] {
    return [...this.#index.all()].flatMap(({ row, stored }) => (row.kind === 'tool' ? [{ id: row.id, serverId: row.serverId, definition: stored.definition, definitionFingerprint: row.definitionFingerprint }] : []));
  }

  /** How many wait in the review list, of all servers. */
  countNeedsReview(): number {
    const { version } = this.#index;
    if (this.#needsReview?.version === version) return this.#needsReview.count;
    let count = 0;
    for (const entry of this.#index.all()) if (this.#index.standing(entry).needsReview) count += 1;
    this.#needsReview = { version, count };
    return count;
  }

  /** `discovered`: read in this run of the host, or known from before. */
  counts(serverId: string): CapabilityCounts & { readonly discovered: boolean; readonly accessChanges: number } {
    const counts = countCapabilities(serverId, this.#index);
    const accessChanges = this.#deps.store.read((db) => countAccessChanges(db, serverId));
    return { ...counts, discovered: counts.total > 0 || this.#sources.wasRead(serverId), accessChanges };
  }

  /** Error `not_found`. */
  get(capabilityId: string): Result<CapabilityDetail, Fault> {
    const entry = this.#find(capabilityId);
    return entry.ok ? ok(capabilityDetail(entry.value, this.#index, this.#sources.reason(entry.value))) : entry;
  }

  /**
   * A person's review of the present definition. Refusing also takes the grants to it. `equivalentRemains`: another admitted and available capability has the
   * same name or purpose. Errors: `not_found`, `binding_changed` (another definition was seen), `schema_excluded` (an unusable one cannot be admitted),
   * `invalid_request` (a class or key that does not fit).
   */
  review(input: ReviewInput, by: string): Result<{ capability: Capability; equivalentRemains: boolean }, Fault> {
    const found = this.#find(input.capabilityId);
    if (!found.ok) return found;
    const entry = found.value;
    const { definitionFingerprint } = entry.row;
    if (input.definitionFingerprint !== undefined && input.definitionFingerprint !== definitionFingerprint) {
      return err(fault('binding_changed', 'The definition changed since it was shown.', { details: { present: definitionFingerprint, shown: input.definitionFingerprint } }));
    }
    const { schemaState } = entry.stored;
    if (input.admit && schemaState.state === 'excluded') return err(fault('schema_excluded', `Its schema cannot be used: ${schemaState.reason}.`, { field: schemaState.pointer }));
    const { purpose, review: before } = this.#index.standing(entry);
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
    this.#index.review(review);
    this.#changed(entry.row.serverId);
    return ok({ capability: capabilityView(entry, this.#index, this.#sources.reason(entry)), equivalentRemains: this.#equivalentsOf(entry, input.purpose ?? purpose).length > 0 });
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

  /** `scope`: of a run, beside that of the profile. */
  funnel(query: { readonly principal: string; readonly serverId?: string | undefined; readonly scope?: Scope | null | undefined }): Funnel {
    return funnelOf(this.#entriesOf(query.serverId), query.principal, this.#index, this.#sources, this.#scopes(query.principal, query.scope));
  }

  /** The one decision. Errors: `unknown_capability`, `not_allowed` (details.reason), `schema_excluded`, `unavailable` (details.reason). */
  candidate(capabilityId: string, principal: string, scope?: Scope | null): Result<Candidate, Fault> {
    const entry = this.#index.get(capabilityId);
    if (!entry) return err(fault('unknown_capability', 'There is no such capability.', { details: { capabilityId } }));
    const loss = decide(entry, principal, this.#index, this.#sources, undefined, this.#scopes(principal, scope));
    if (loss) return err(lossFault(loss, capabilityId));
    const { definition, schemaState } = entry.stored;
    return ok({
      capability: this.#viewOf(entry),
      definition,
      inputSchema: inputSchemaOf(entry.row.kind, definition),
      outputSchema: definition.outputSchema,
      definitionFingerprint: entry.row.definitionFingerprint,
      bindingFingerprint: this.#index.bindingFingerprint(entry),
      launchFingerprint: this.#sources.launchFingerprint(entry.row.serverId),
      tier: this.#index.standing(entry).tier,
      schemaState,
    });
  }

  /** The resources and templates that this principal may read now, by the one decision. */
  readable(principal: string): { readonly id: string; readonly serverId: string; readonly definition: Definition; readonly inputSchema: unknown }[] {
    const out: ReturnType<CapabilityRegistry['readable']> = [];
    const scopes = this.#scopes(principal, null);
    for (const entry of this.#index.all()) {
      const { row, stored: { definition } } = entry;
      if (row.kind === 'resource' && decide(entry, principal, this.#index, this.#sources, undefined, scopes) === null) out.push({ id: row.id, serverId: row.serverId, definition, inputSchema: inputSchemaOf('resource', definition) });
    }
    return out;
  }

  #scopes(principal: string, scope: Scope | null | undefined): readonly (Scope | null)[] {
    return [this.#deps.scopeOf?.(principal) ?? null, scope ?? null];
  }

  /** What a turn that shows the capability now binds to, whoever asks; null for what no server offers. */
  bound(capabilityId: string): TurnBinding | null {
    const entry = this.#index.get(capabilityId);
    if (!entry?.row.present) return null;
    const { row, stored } = entry;
    return {
      fingerprint: this.#index.bindingFingerprint(entry),
      definition: stored.definition,
      definitionFingerprint: row.definitionFingerprint,
      reviewVersion: this.#index.standing(entry).reviewVersion,
      ...this.#sources.bound(row.serverId),
    };
  }

  #entriesOf(serverId: string | undefined): Iterable<Entry> {
    return serverId === undefined ? this.#index.all() : this.#index.ofServer(serverId);
  }

  /** Why one cannot be called now; a server is asked once. */
  #reasons(): (entry: Entry) => string | null {
    const reasonsOf = new Map<string, string | null>();
    return (entry) => {
      const { serverId } = entry.row;
      let reason = reasonsOf.get(serverId);
      if (reason === undefined) reasonsOf.set(serverId, (reason = this.#sources.serverReason(serverId)));
      return this.#sources.reason(entry, reason);
    };
  }

  #viewOf(entry: Entry): Capability {
    const kept = this.#views.get(entry);
    if (kept && kept.version === this.#index.version) return kept.view;
    const view = capabilityView(entry, this.#index, null);
    this.#views.set(entry, { version: this.#index.version, view });
    return view;
  }

  /** Other admitted and available capabilities of the same name or purpose, by id; none where the capability is unknown. */
  equivalents(capabilityId: string): readonly string[] {
    const entry = this.#index.get(capabilityId);
    return entry ? this.#equivalentsOf(entry, this.#index.standing(entry).purpose ?? undefined) : [];
  }

  #find(capabilityId: string): Result<Entry, Fault> {
    const entry = this.#index.get(capabilityId);
    return entry ? ok(entry) : err(fault('not_found', 'There is no such capability.', { details: { capabilityId } }));
  }

  #equivalentsOf(entry: Entry, purpose: string | undefined): readonly string[] {
    const wanted = purpose?.trim().toLowerCase();
    const out: string[] = [];
    for (const other of this.#index.all()) {
      if (other.row.id === entry.row.id || other.row.kind !== entry.row.kind) continue;
      const standing = this.#index.standing(other);
      const alike = other.row.name === entry.row.name || (wanted !== undefined && wanted !== '' && standing.purpose?.trim().toLowerCase() === wanted);
      if (alike && standing.admitted && this.#sources.reason(other) === null) out.push(other.row.id);
    }
    return out;
  }

  #changed(serverId: string): void {
    this.#deps.bus.emit('capabilities:changed', { serverId });
  }
}
