import type { SchemaState } from '../../shared/capability.ts';
import type { CapabilityKind } from '../../shared/capability-id.ts';
import type { DiscoveredLists } from '../servers/discovered-lists.ts';
import { hasServer, markAbsent, putCapability, touchCapabilities, type RaisedFlag, type CapabilityRow } from '../store/capabilities.ts';
import type { Store, WriteDb } from '../store/database.ts';
import { pruneDefinitions, putDefinition, type StoredDefinition } from '../store/definitions.ts';
import { recordAccessChange, type AccessChange } from '../store/grants.ts';
import type { CapabilityIndex } from './capability-index.ts';
import { sourceFingerprint } from './fingerprint.ts';
import { offeredFrom, type Offered } from './offered.ts';
import { SCHEMA_CHECK_VERSION, TOO_SLOW_REASON, type SchemaChecker } from './schema-checker.ts';
import { skeleton } from './skeleton.ts';

export interface RegistrationDeps {
  readonly store: Store;
  readonly index: CapabilityIndex;
  readonly schemas: SchemaChecker;
}

/** Work between two breaths of the event loop. */
const SLICE_MS = 8;
/** More new definitions than this are written ahead, in slices: they are content, addressed by their hash, and grant nothing by themselves. */
const DEFINITIONS_AHEAD = 200;
const DEFINITIONS_AT_ONCE = 50;
/** A longer list is written in as many transactions as it takes not to stop the host; memory, which answers, moves once, at the end. */
const ROWS_AT_ONCE = 500;
/** A server whose schemas run into the time limit so often has the rest left unjudged, so that others need not wait for it. */
const MAX_SLOW_SCHEMAS = 5;
const UNSTABLE_AFTER_CHANGES = 3;

const breathe = (): Promise<void> => new Promise((resume) => setImmediate(resume));

const slices = async <T>(items: readonly T[], work: (item: T) => void): Promise<void> => {
  let started = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - started < SLICE_MS) continue;
    await breathe();
    started = performance.now();
  }
};

/** The first of each name holds; what comes again under it is told of, and never takes its place (S09). */
const withoutDuplicates = (offered: readonly Offered[]): readonly Offered[] => {
  const byId = new Map<string, Offered>();
  const again = new Map<string, { count: number; different: boolean }>();
  for (const item of offered) {
    const first = byId.get(item.id);
    if (!first) {
      byId.set(item.id, item);
      continue;
    }
    const seen = again.get(item.id) ?? { count: 0, different: false };
    again.set(item.id, { count: seen.count + 1, different: seen.different || item.fingerprint !== first.fingerprint });
  }
  return [...byId.values()].map((item) => {
    const seen = again.get(item.id);
    if (!seen) return item;
    const detail = `offered ${seen.count + 1} times under one name${seen.different ? ', with different definitions' : ''}; the first is kept`;
    return { ...item, flags: [...item.flags, { code: 'duplicate_name', place: '/name', detail }] };
  });
};

/** Words of a description that are exact names of other servers' tools (S13). Plain words are not taken for names. */
const namesOtherServers = (item: Offered, serverId: string, ownNames: ReadonlySet<string>, index: CapabilityIndex): readonly RaisedFlag[] => {
  const words = new Set((item.definition.description ?? '').slice(0, 50_000).match(/[A-Za-z][\w-]{4,127}/g) ?? []);
  const named = [...words].filter((word) => /[_-]|[a-z][A-Z]/.test(word) && !ownNames.has(word) && index.serversOffering(word, serverId).length > 0);
  if (named.length === 0) return [];
  return [{ code: 'names_other_server', place: '/description', detail: named.slice(0, 5).map((word) => `${word} (${index.serversOffering(word, serverId).slice(0, 3).join(', ')})`).join(', ') }];
};

/** Which kinds were read to the end: only of these may an absent one be called no longer offered. */
const completeKinds = ({ fact }: DiscoveredLists): ReadonlySet<CapabilityKind> => {
  const complete = (reading: DiscoveredLists['fact']['tools']): boolean => reading.outcome === 'not_offered' || (reading.outcome === 'read' && !reading.partial);
  const kinds = new Set<CapabilityKind>();
  if (complete(fact.tools)) kinds.add('tool');
  if (complete(fact.resources) && complete(fact.resourceTemplates)) kinds.add('resource');
  if (complete(fact.prompts)) kinds.add('prompt');
  return kinds;
};

/** Turns readings into rows. One at a time: what one writes ahead, another must not prune. */
export class Registration {
  readonly #deps: RegistrationDeps;
  /** how often a definition moved in this run of the host (F22) */
  readonly #moves = new Map<string, number>();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: RegistrationDeps) {
    this.#deps = deps;
  }

  /** False when the server is gone. Rejects only when the store fails. */
  async register(lists: DiscoveredLists): Promise<boolean> {
    const { index } = this.#deps;
    const all: Offered[] = [];
    await slices(lists.definitions, ({ kind, definition }) => all.push(offeredFrom(lists.serverId, kind, definition)));
    const unique = withoutDuplicates(all);
    const ownNames = new Set(unique.map((item) => item.name));
    const offered: Offered[] = [];
    await slices(unique, (item) => offered.push({ ...item, flags: [...item.flags, ...namesOtherServers(item, lists.serverId, ownNames, index)] }));
    const definitions = await this.#judge(offered, lists.at);
    const write = this.#writing.then(() => this.#write(lists, offered, definitions));
    this.#writing = write.catch(() => undefined);
    return write;
  }

  async #judge(offered: readonly Offered[], at: number): Promise<ReadonlyMap<string, StoredDefinition>> {
    const out = new Map<string, StoredDefinition>();
    let slow = 0;
    for (const item of offered) {
      if (out.has(item.fingerprint)) continue;
      const known = this.#deps.index.definition(item.fingerprint);
      const retry = known?.schemaState.state === 'excluded' && known.schemaState.reason === TOO_SLOW_REASON;
      if (known && known.checkVersion === SCHEMA_CHECK_VERSION && !retry) {
        out.set(item.fingerprint, known);
        continue;
      }
      let schemaState: SchemaState;
      if (item.problem) schemaState = item.problem;
      else if (slow >= MAX_SLOW_SCHEMAS) schemaState = { state: 'excluded', pointer: '/inputSchema', code: 'too_slow', reason: TOO_SLOW_REASON };
      else schemaState = await this.#deps.schemas.check(item.definition);
      if (schemaState.state === 'excluded' && schemaState.reason === TOO_SLOW_REASON) slow += 1;
      out.set(item.fingerprint, { fingerprint: item.fingerprint, definition: item.definition, schemaState, checkVersion: SCHEMA_CHECK_VERSION, firstSeenAt: known?.firstSeenAt ?? at });
    }
    return out;
  }

  async #write(lists: DiscoveredLists, offered: readonly Offered[], definitions: ReadonlyMap<string, StoredDefinition>): Promise<boolean> {
    const { store, index } = this.#deps;
    const { serverId, at } = lists;
    const changed: CapabilityRow[] = [];
    const touched: CapabilityRow[] = [];
    const drift = new Map<string, AccessChange[]>();
    const replaced: string[] = [];
    // made here, between two breaths: the move of memory at the end is one step
    const skeletons = new Map<string, string>();
    await slices(offered, (item) => {
      const before = index.get(item.id)?.row;
      const row = this.#rowOf(lists, item, before);
      const asBefore = before?.present === true && before.sourceFingerprint === row.sourceFingerprint && JSON.stringify(before.flags) === JSON.stringify(row.flags);
      (asBefore ? touched : changed).push(row);
      if (!before) skeletons.set(row.id, skeleton(row.name));
      if (!before || before.definitionFingerprint === row.definitionFingerprint) return;
      this.#moves.set(row.id, (this.#moves.get(row.id) ?? 0) + 1);
      replaced.push(before.definitionFingerprint);
      const moves: AccessChange[] = [];
      for (const grant of index.grantsOf(row.id)) {
        if (grant.definitionFingerprint === before.definitionFingerprint) moves.push({ ...grant, at, allowed: false, by: 'host:definition_changed' });
        if (grant.definitionFingerprint === row.definitionFingerprint) moves.push({ ...grant, at, allowed: true, by: 'host:definition_returned' });
      }
      drift.set(row.id, moves);
    });
    const complete = completeKinds(lists);
    const ids = new Set(offered.map((item) => item.id));
    const absent = [...index.ofServer(serverId)].filter(({ row }) => row.present && complete.has(row.kind) && !ids.has(row.id)).map(({ row }) => row);
    const fresh = [...definitions.values()].filter((stored) => index.definition(stored.fingerprint) !== stored);
    if (fresh.length > DEFINITIONS_AHEAD) {
      for (let i = 0; i < fresh.length; i += DEFINITIONS_AT_ONCE) {
        store.write((db) => fresh.slice(i, i + DEFINITIONS_AT_ONCE).forEach((stored) => putDefinition(db, stored)));
        await breathe();
      }
    }
    const put = (db: WriteDb, rows: readonly CapabilityRow[]): void => {
      for (const row of rows) {
        putCapability(db, row);
        for (const change of drift.get(row.id) ?? []) recordAccessChange(db, change);
      }
    };
    const last = changed.splice(-ROWS_AT_ONCE);
    for (let i = 0; i < changed.length; i += ROWS_AT_ONCE) {
      const some = changed.slice(i, i + ROWS_AT_ONCE);
      if (!store.write((db) => hasServer(db, serverId) && (put(db, some), true))) return false;
      await breathe();
    }
    const seenAgain = touched.map((row) => row.id);
    for (const ids = seenAgain.splice(ROWS_AT_ONCE); ids.length > 0; ) {
      store.write((db) => touchCapabilities(db, ids.splice(-ROWS_AT_ONCE), at));
      await breathe();
    }
    const written = store.write((db) => {
      if (!hasServer(db, serverId)) return false;
      if (fresh.length <= DEFINITIONS_AHEAD) for (const stored of fresh) putDefinition(db, stored);
      put(db, last);
      if (seenAgain.length > 0) touchCapabilities(db, seenAgain, at);
      if (absent.length > 0) markAbsent(db, absent.map((row) => row.id));
      return true;
    });
    if (!written) return false;
    for (const row of [...changed, ...last, ...touched]) index.put(row, definitions.get(row.definitionFingerprint)!, skeletons.get(row.id));
    for (const row of absent) index.put({ ...row, present: false }, index.get(row.id)!.stored);
    const unused = [...new Set(replaced)];
    for (let i = 0; i < unused.length; i += DEFINITIONS_AT_ONCE) {
      for (const fingerprint of store.write((db) => pruneDefinitions(db, unused.slice(i, i + DEFINITIONS_AT_ONCE)))) index.forgetDefinition(fingerprint);
      await breathe();
    }
    return true;
  }

  #rowOf(lists: DiscoveredLists, item: Offered, before: CapabilityRow | undefined): CapabilityRow {
    const { serverId, at, launchFingerprint, instructions } = lists;
    const flags = [...item.flags];
    const moved = before !== undefined && before.definitionFingerprint !== item.fingerprint;
    const returned = moved
      ? this.#deps.index.reviewsOf(item.id).some((review) => review.definitionFingerprint === item.fingerprint)
      : before?.flags.some((flag) => flag.code === 'definition_returned') === true;
    if (returned) flags.push({ code: 'definition_returned', place: '', detail: 'changed, and came back to a form that was reviewed before; that review holds again' });
    const moves = (this.#moves.get(item.id) ?? 0) + (moved ? 1 : 0);
    if (moves >= UNSTABLE_AFTER_CHANGES) flags.push({ code: 'unstable_definition', place: '', detail: 'the definition keeps changing from one reading to the next' });
    return {
      id: item.id,
      serverId,
      kind: item.kind,
      name: item.name,
      definitionFingerprint: item.fingerprint,
      sourceFingerprint: sourceFingerprint({ definitionFingerprint: item.fingerprint, serverId, launchFingerprint, instructions }),
      flags,
      present: true,
      firstSeenAt: before?.firstSeenAt ?? at,
      lastSeenAt: at,
    };
  }
}
