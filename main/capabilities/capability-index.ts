import type { ReadDb } from '../store/database.ts';
import { listCapabilities, type RaisedFlag, type CapabilityRow } from '../store/capabilities.ts';
import { listDefinitionsInUse, type StoredDefinition } from '../store/definitions.ts';
import { listGrants, type Grant } from '../store/grants.ts';
import { listReviews, type ReviewRow } from '../store/reviews.ts';
import { bindingOf } from './fingerprint.ts';
import { skeleton } from './skeleton.ts';
import { standingOf, type CatalogReviews, type Standing } from './standing.ts';

export interface Entry {
  readonly row: CapabilityRow;
  readonly stored: StoredDefinition;
  readonly skeleton: string;
}

interface Derived {
  standing?: Standing;
  binding?: string;
  /** how often something of it has changed beside the entry itself */
  changes?: number;
  clashes?: { readonly version: number; readonly flags: readonly RaisedFlag[] };
}

const MAX_PEERS_NAMED = 5;

/** The registry in memory: a mirror of the store, changed only after the store was. */
export class CapabilityIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #byServer = new Map<string, Map<string, Entry>>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #bySkeleton = new Map<string, Set<string>>();
  readonly #definitions = new Map<string, StoredDefinition>();
  readonly #reviews = new Map<string, readonly ReviewRow[]>();
  /** capability -> principal -> definitions */
  readonly #grants = new Map<string, Map<string, Set<string>>>();
  readonly #derived = new WeakMap<Entry, Derived>();
  readonly #catalogReviews: (serverId: string) => CatalogReviews;
  /** by server, until it is read again: a list of thousands must not ask for the server's row once a tool */
  readonly #reviewsOfCatalog = new Map<string, CatalogReviews>();
  #namesVersion = 0;
  #definitionsVersion = 0;
  #version = 0;
  #rowsAlike: { readonly version: number; readonly bySkeleton: Map<string, readonly CapabilityRow[]> } = { version: -1, bySkeleton: new Map() };

  constructor(db: ReadDb, catalogReviews: (serverId: string) => CatalogReviews) {
    this.#catalogReviews = catalogReviews;
    for (const stored of listDefinitionsInUse(db)) this.#definitions.set(stored.fingerprint, stored);
    for (const review of listReviews(db)) this.#reviews.set(review.capabilityId, [...(this.#reviews.get(review.capabilityId) ?? []), review]);
    for (const grant of listGrants(db)) this.grant(grant, true);
    for (const row of listCapabilities(db)) {
      const stored = this.#definitions.get(row.definitionFingerprint);
      if (stored) this.put(row, stored);
    }
  }

  /** Another number after each change: what was made from the index is good while it stays. */
  get version(): number {
    return this.#version;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }
  all(): Iterable<Entry> {
    return this.#entries.values();
  }
  ofServer(serverId: string): Iterable<Entry> {
    return this.#byServer.get(serverId)?.values() ?? [];
  }
  definition(fingerprint: string): StoredDefinition | undefined {
    return this.#definitions.get(fingerprint);
  }
  /** oldest first */
  reviewsOf(id: string): readonly ReviewRow[] {
    return this.#reviews.get(id) ?? [];
  }

  /** `itsSkeleton`: of the name, where it is known already. */
  put(row: CapabilityRow, stored: StoredDefinition, itsSkeleton?: string): void {
    this.#version += 1;
    const known = this.#entries.get(row.id);
    const entry: Entry = { row, stored, skeleton: known?.skeleton ?? itsSkeleton ?? skeleton(row.name) };
    if (!this.#definitions.has(stored.fingerprint)) this.#definitionsVersion += 1;
    this.#definitions.set(stored.fingerprint, stored);
    this.#entries.set(row.id, entry);
    let ofServer = this.#byServer.get(row.serverId);
    if (!ofServer) this.#byServer.set(row.serverId, (ofServer = new Map()));
    ofServer.set(row.id, entry);
    if (known?.row.present !== row.present) this.#namesVersion += 1;
    if (known) return;
    for (const [map, key] of [[this.#byName, row.name], [this.#bySkeleton, entry.skeleton]] as const) {
      const ids = map.get(key);
      if (ids) ids.add(row.id);
      else map.set(key, new Set([row.id]));
    }
  }

  removeServer(serverId: string): readonly Entry[] {
    this.#version += 1;
    const gone = [...this.ofServer(serverId)];
    this.#byServer.delete(serverId);
    this.#reviewsOfCatalog.delete(serverId);
    for (const entry of gone) {
      this.#entries.delete(entry.row.id);
      this.#grants.delete(entry.row.id);
      this.#reviews.delete(entry.row.id);
      this.#byName.get(entry.row.name)?.delete(entry.row.id);
      this.#bySkeleton.get(entry.skeleton)?.delete(entry.row.id);
    }
    this.#namesVersion += 1;
    return gone;
  }

  forgetDefinition(fingerprint: string): void {
    this.#version += 1;
    this.#definitionsVersion += 1;
    this.#definitions.delete(fingerprint);
  }

  grant(grant: Grant, allowed: boolean): void {
    this.#version += 1;
    let principals = this.#grants.get(grant.capabilityId);
    if (!principals) this.#grants.set(grant.capabilityId, (principals = new Map()));
    let fingerprints = principals.get(grant.principal);
    if (!fingerprints) principals.set(grant.principal, (fingerprints = new Set()));
    if (allowed) fingerprints.add(grant.definitionFingerprint);
    else fingerprints.delete(grant.definitionFingerprint);
    if (fingerprints.size === 0) principals.delete(grant.principal);
    this.#touched(grant.capabilityId);
  }
  grantsOf(id: string): readonly Grant[] {
    const out: Grant[] = [];
    for (const [principal, fingerprints] of this.#grants.get(id) ?? []) for (const definitionFingerprint of fingerprints) out.push({ principal, capabilityId: id, definitionFingerprint });
    return out;
  }
  isGranted(entry: Entry, principal: string): boolean {
    return this.#grants.get(entry.row.id)?.get(principal)?.has(entry.row.definitionFingerprint) === true;
  }
  grantedTo(entry: Entry): string[] {
    const out: string[] = [];
    for (const [principal, fingerprints] of this.#grants.get(entry.row.id) ?? []) if (fingerprints.has(entry.row.definitionFingerprint)) out.push(principal);
    return out;
  }

  review(review: ReviewRow): void {
    this.#version += 1;
    const others = this.reviewsOf(review.capabilityId).filter((r) => r.definitionFingerprint !== review.definitionFingerprint);
    this.#reviews.set(review.capabilityId, [...others, review]);
    const entry = this.#entries.get(review.capabilityId);
    if (!entry) return;
    const { changes = 0 } = this.#derivedOf(entry);
    this.#derived.set(entry, { changes: changes + 1 });
  }

  /** Another number after each change of what is told of this entry: a review, a grant, the names of others, the definitions that are known. */
  stampOf(entry: Entry): number {
    return (this.#derivedOf(entry).changes ?? 0) + this.#namesVersion + this.#definitionsVersion;
  }

  #touched(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const derived = this.#derivedOf(entry);
    derived.changes = (derived.changes ?? 0) + 1;
  }

  standing(entry: Entry): Standing {
    const derived = this.#derivedOf(entry);
    return (derived.standing ??= standingOf(
      entry.row,
      entry.stored,
      this.reviewsOf(entry.row.id),
      entry.row.kind === 'tool' ? this.#catalog(entry.row.serverId)(entry.row.name) : null,
    ));
  }

  /** What a call of the capability, as it stands, binds to. */
  bindingFingerprint(entry: Entry): string {
    return (this.#derivedOf(entry).binding ??= bindingOf(entry.row.sourceFingerprint, this.standing(entry).reviewVersion));
  }

  /** Servers other than `serverId` that offer a tool of exactly this name. */
  serversOffering(name: string, serverId: string): readonly string[] {
    const ids = this.#byName.get(name);
    if (!ids) return [];
    return [...new Set([...ids].map((id) => this.#entries.get(id)!.row.serverId))].filter((other) => other !== serverId);
  }

  /** The same name on other servers, or a name that looks like this one: information only (S09, S11). */
  nameClashes(entry: Entry): readonly RaisedFlag[] {
    const derived = this.#derivedOf(entry);
    if (derived.clashes?.version === this.#namesVersion) return derived.clashes.flags;
    const flags: RaisedFlag[] = [];
    const peers = this.#lookalikes(entry.skeleton);
    if (peers.length > 1) {
      const same: string[] = [];
      const alike: string[] = [];
      for (const peer of peers) {
        if (peer.id !== entry.row.id && peer.kind === entry.row.kind && peer.present) (peer.name === entry.row.name ? same : alike).push(peer.id);
      }
      for (const [code, ids] of [['same_name', same], ['confusable_name', alike]] as const) {
        if (ids.length > 0) flags.push({ code, place: '/name', detail: `${ids.slice(0, MAX_PEERS_NAMED).join(', ')}${ids.length > MAX_PEERS_NAMED ? ` and ${ids.length - MAX_PEERS_NAMED} more` : ''}` });
      }
    }
    derived.clashes = { version: this.#namesVersion, flags };
    return flags;
  }

  /** Rows whose names look alike, gathered once for all of them. */
  #lookalikes(ofSkeleton: string): readonly CapabilityRow[] {
    if (this.#rowsAlike.version !== this.#namesVersion) this.#rowsAlike = { version: this.#namesVersion, bySkeleton: new Map() };
    const { bySkeleton } = this.#rowsAlike;
    let rows = bySkeleton.get(ofSkeleton);
    if (!rows) bySkeleton.set(ofSkeleton, (rows = [...(this.#bySkeleton.get(ofSkeleton) ?? [])].map((id) => this.#entries.get(id)!.row)));
    return rows;
  }

  /** The server may be configured for another app than before. */
  askCatalogAnew(serverId: string): void {
    this.#version += 1;
    this.#reviewsOfCatalog.delete(serverId);
  }

  #catalog(serverId: string): CatalogReviews {
    let reviews = this.#reviewsOfCatalog.get(serverId);
    if (!reviews) this.#reviewsOfCatalog.set(serverId, (reviews = this.#catalogReviews(serverId)));
    return reviews;
  }

  #derivedOf(entry: Entry): Derived {
    let derived = this.#derived.get(entry);
    if (!derived) this.#derived.set(entry, (derived = {}));
    return derived;
  }
}
