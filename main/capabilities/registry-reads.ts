import type { Scope } from '../../shared/agent-profile.ts';
import type { Capability, CapabilityDetail, Definition, Funnel } from '../../shared/capability.ts';
import type { AccessPreview, CapabilityFilter } from '../../shared/capability-list.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { inTurns } from '../in-turns.ts';
import type { Candidate } from './candidate.ts';
import type { CapabilityIndex, Entry } from './capability-index.ts';
import { accessPreview, rowsOf, type RowsPage, type RowsQuery } from './capability-rows.ts';
import type { SearchedCapability } from './capability-search.ts';
import { capabilityDetail } from './capability-view.ts';
import { CapabilityViews } from './capability-views.ts';
import { countGranted, countToolAccess, type ToolAccess } from './counts.ts';
import { decide, lossFault } from './decision.ts';
import { funnelOf } from './funnel.ts';
import { inputSchemaOf } from './input-schema.ts';
import type { Sources } from './sources.ts';
import type { TurnBinding } from './turn-binding.ts';

/** Of pairs of principal and server. */
const MOST_ACCESS_KEPT = 5_000;

const LISTED_AT_ONCE = 256;

interface ListQuery {
  readonly serverId?: string | undefined;
  readonly needsReview?: boolean | undefined;
}
export interface ServerAccess {
  readonly agentAccess: ToolAccess;
  readonly grantedCount: number;
}
export interface RegistryReadsDeps {
  readonly index: CapabilityIndex;
  readonly sources: Sources;
  /** of an agent profile; null: none */
  readonly scopeOf?: ((principal: string) => Scope | null) | undefined;
}

/** What the registry answers from its mirror in memory: lists, rows, figures, the funnel and the one decision. It changes nothing. */
export class RegistryReads {
  protected readonly index: CapabilityIndex;
  protected readonly sources: Sources;
  readonly #scopeOf: RegistryReadsDeps['scopeOf'];
  readonly #views: CapabilityViews;
  /** as long as the index stands: every event of a server asks for it */
  #needsReview: { readonly version: number; readonly count: number } | null = null;
  readonly #accessOf = new Map<string, { readonly version: number; readonly access: ServerAccess }>();

  constructor({ index, sources, scopeOf }: RegistryReadsDeps) {
    this.index = index;
    this.sources = sources;
    this.#scopeOf = scopeOf;
    this.#views = new CapabilityViews(index);
  }

  /** The whole of a list, made in turns with other work. */
  listInTurns(query: ListQuery = {}): Promise<Capability[]> {
    return inTurns(this.#listed(query));
  }

  list(query: ListQuery = {}): Capability[] {
    const work = this.#listed(query);
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
  }

  *#listed(query: ListQuery): Generator<void, Capability[]> {
    const reasonOf = this.#reasons();
    const out: Capability[] = [];
    for (const entry of this.#entriesOf(query.serverId)) {
      if (out.length % LISTED_AT_ONCE === LISTED_AT_ONCE - 1) yield;
      if (query.needsReview !== undefined && this.index.standing(entry).needsReview !== query.needsReview) continue;
      out.push(this.#views.of(entry, reasonOf(entry)));
    }
    return out;
  }

  /** The same as rows for a list, one page of what fits. */
  rows(query: RowsQuery): RowsPage {
    return rowsOf(this.#entriesOf(query.serverId), query, this.index, this.#reasons());
  }

  accessPreview(query: CapabilityFilter & { readonly allowed: boolean }): AccessPreview {
    return accessPreview(this.#entriesOf(query.serverId), query, this.index, this.#reasons());
  }

  /** What a summary of a server says of its capabilities: its tools for one principal (`allowable` could be granted now and are not), and how many are granted to anyone. */
  serverAccess(serverId: string, principal: string): ServerAccess {
    if (this.#accessOf.size > MOST_ACCESS_KEPT) this.#accessOf.clear();
    const place = `${principal} ${serverId}`;
    const before = this.#accessOf.get(place);
    if (before?.version === this.index.version) return before.access;
    const access = { agentAccess: countToolAccess(serverId, principal, this.index), grantedCount: countGranted(serverId, this.index) };
    this.#accessOf.set(place, { version: this.index.version, access });
    return access;
  }

  /** Every capability with the words it is searched by; `version` is another number after each change. */
  searched(): { readonly version: number; readonly all: readonly SearchedCapability[] } {
    return { version: this.index.version, all: Array.from(this.index.all(), ({ row, stored }) => ({ id: row.id, serverId: row.serverId, kind: row.kind, name: row.name, title: stored.definition.title, description: stored.definition.description })) };
  }

  get version(): number {
    return this.index.version;
  }

  /** Servers of which this principal may use a tool or resource, whether they can be reached now or not. */
  serversGranted(principal: string): ReadonlySet<string> {
    const out = new Set<string>();
    for (const entry of this.index.all()) if (entry.row.kind !== 'prompt' && !out.has(entry.row.serverId) && this.index.isGranted(entry, principal)) out.add(entry.row.serverId);
    return out;
  }

  /** Every registered tool, whoever may use it: what names on a model route are told apart from. */
  toolNames(): { readonly id: string; readonly serverId: string; readonly name: string }[] {
    const out: { readonly id: string; readonly serverId: string; readonly name: string }[] = [];
    for (const { row } of this.index.all()) if (row.kind === 'tool') out.push({ id: row.id, serverId: row.serverId, name: row.name });
    return out;
  }

  /** Every tool as it was last declared, whoever may use it: what a request is ranked against. */
  toolDefinitions(): { readonly id: string; readonly serverId: string; readonly definition: Definition; readonly definitionFingerprint: string }[] {
    return [...this.index.all()].flatMap(({ row, stored }) => (row.kind === 'tool' ? [{ id: row.id, serverId: row.serverId, definition: stored.definition, definitionFingerprint: row.definitionFingerprint }] : []));
  }

  /** How many wait in the review list, of all servers. */
  countNeedsReview(): number {
    const { version } = this.index;
    if (this.#needsReview?.version === version) return this.#needsReview.count;
    let count = 0;
    for (const entry of this.index.all()) if (this.index.standing(entry).needsReview) count += 1;
    this.#needsReview = { version, count };
    return count;
  }

  /** Error `not_found`. */
  get(capabilityId: string): Result<CapabilityDetail, Fault> {
    const entry = this.find(capabilityId);
    return entry.ok ? ok(capabilityDetail(entry.value, this.index, this.sources.reason(entry.value))) : entry;
  }

  /** `scope`: of a run, beside that of the profile. */
  funnel(query: { readonly principal: string; readonly serverId?: string | undefined; readonly scope?: Scope | null | undefined }): Funnel {
    return funnelOf(this.#entriesOf(query.serverId), query.principal, this.index, this.sources, this.#scopes(query.principal, query.scope));
  }

  /** The one decision. Errors: `unknown_capability`, `not_allowed` (details.reason), `schema_excluded`, `unavailable` (details.reason). */
  candidate(capabilityId: string, principal: string, scope?: Scope | null): Result<Candidate, Fault> {
    return this.candidates(principal, scope)(capabilityId);
  }

  /** The same decision for many, at one moment: the profile's scope and each server are asked about once. */
  candidates(principal: string, scope?: Scope | null): (capabilityId: string) => Result<Candidate, Fault> {
    const scopes = this.#scopes(principal, scope);
    const reasonOf = this.#serverReasons();
    return (capabilityId) => {
      const entry = this.index.get(capabilityId);
      if (!entry) return err(fault('unknown_capability', 'There is no such capability.', { details: { capabilityId } }));
      const loss = decide(entry, principal, this.index, this.sources, reasonOf(entry.row.serverId), scopes);
      return loss ? err(lossFault(loss, capabilityId)) : this.#candidateOf(entry);
    };
  }

  #candidateOf(entry: Entry): Result<Candidate, never> {
    const { definition, schemaState } = entry.stored;
    return ok({
      capability: this.#views.of(entry, null),
      definition,
      inputSchema: inputSchemaOf(entry.row.kind, definition),
      outputSchema: definition.outputSchema,
      definitionFingerprint: entry.row.definitionFingerprint,
      bindingFingerprint: this.index.bindingFingerprint(entry),
      launchFingerprint: this.sources.launchFingerprint(entry.row.serverId),
      tier: this.index.standing(entry).tier,
      schemaState,
    });
  }

  /** The resources and templates that this principal may read now, by the one decision. */
  readable(principal: string): { readonly id: string; readonly serverId: string; readonly definition: Definition; readonly inputSchema: unknown }[] {
    const out: ReturnType<RegistryReads['readable']> = [];
    const scopes = this.#scopes(principal, null);
    for (const entry of this.index.all()) {
      const { row, stored: { definition } } = entry;
      if (row.kind === 'resource' && decide(entry, principal, this.index, this.sources, undefined, scopes) === null) out.push({ id: row.id, serverId: row.serverId, definition, inputSchema: inputSchemaOf('resource', definition) });
    }
    return out;
  }

  #scopes(principal: string, scope: Scope | null | undefined): readonly (Scope | null)[] {
    return [this.#scopeOf?.(principal) ?? null, scope ?? null];
  }

  /** What a turn that shows the capability now binds to, whoever asks; null for what no server offers. */
  bound(capabilityId: string): TurnBinding | null {
    const entry = this.index.get(capabilityId);
    if (!entry?.row.present) return null;
    const { row, stored } = entry;
    return {
      fingerprint: this.index.bindingFingerprint(entry),
      definition: stored.definition,
      definitionFingerprint: row.definitionFingerprint,
      reviewVersion: this.index.standing(entry).reviewVersion,
      ...this.sources.bound(row.serverId),
    };
  }

  #entriesOf(serverId: string | undefined): Iterable<Entry> {
    return serverId === undefined ? this.index.all() : this.index.ofServer(serverId);
  }

  /** Why one cannot be called now; a server is asked once. */
  #reasons(): (entry: Entry) => string | null {
    const reasonOf = this.#serverReasons();
    return (entry) => this.sources.reason(entry, reasonOf(entry.row.serverId));
  }

  #serverReasons(): (serverId: string) => string | null {
    const reasonsOf = new Map<string, string | null>();
    return (serverId) => {
      let reason = reasonsOf.get(serverId);
      if (reason === undefined) reasonsOf.set(serverId, (reason = this.sources.serverReason(serverId)));
      return reason;
    };
  }

  /** Other admitted and available capabilities of the same name or purpose, by id; none where the capability is unknown. */
  equivalents(capabilityId: string): readonly string[] {
    const entry = this.index.get(capabilityId);
    return entry ? this.equivalentsOf(entry, this.index.standing(entry).purpose ?? undefined) : [];
  }

  protected find(capabilityId: string): Result<Entry, Fault> {
    const entry = this.index.get(capabilityId);
    return entry ? ok(entry) : err(fault('not_found', 'There is no such capability.', { details: { capabilityId } }));
  }

  protected equivalentsOf(entry: Entry, purpose: string | undefined): readonly string[] {
    const wanted = purpose?.trim().toLowerCase();
    const out: string[] = [];
    for (const other of this.index.all()) {
      if (other.row.id === entry.row.id || other.row.kind !== entry.row.kind) continue;
      const standing = this.index.standing(other);
      const alike = other.row.name === entry.row.name || (wanted !== undefined && wanted !== '' && standing.purpose?.trim().toLowerCase() === wanted);
      if (alike && standing.admitted && this.sources.reason(other) === null) out.push(other.row.id);
    }
    return out;
  }
}
