import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { storeFault } from '../store/store-fault.ts';
import { ENTRIES_AT_ONCE, revokeGrants, setAccess, setAccessInSlices, type AccessDeps } from './access.ts';
import type { Entry } from './capability-index.ts';

export interface AccessInput {
  readonly principal: string;
  readonly serverId?: string | undefined;
  readonly capabilityId?: string | undefined;
  readonly capabilityIds?: readonly string[] | undefined;
  readonly allowed: boolean;
}

interface Named {
  readonly entries: readonly Entry[];
  readonly unknown: { capabilityId: string; reason: string }[];
}

export type AccessAnswer = Result<{ changed: number; skipped: { capabilityId: string; reason: string }[] }, Fault>;

/** Who may use what, as it is set: one, a list or a whole server, in the order in which it was asked for. */
export class AccessDesk {
  readonly #deps: AccessDeps;
  readonly #changed: (serverId: string) => void;
  /** servers that lost all grants while thousands of others are being set */
  readonly #revoked = new Set<string>();
  #bulks = 0;
  #lastBulk: Promise<unknown> = Promise.resolve();

  constructor(deps: AccessDeps, changed: (serverId: string) => void) {
    this.#deps = deps;
    this.#changed = changed;
  }

  /** Errors: `invalid_request` (nothing named), `not_found` (the one capability named does not exist). In a list, unknown ones are skipped. */
  set(input: AccessInput, by: string): AccessAnswer {
    if (input.serverId === undefined && input.capabilityId === undefined && input.capabilityIds === undefined) {
      return err(fault('invalid_request', 'Name a server or capabilities.', { field: 'serverId' }));
    }
    const named = this.#named(input);
    if (!named.ok) return named;
    const { changed, skipped, serverIds } = setAccess(named.value.entries, input.principal, input.allowed, by, this.#deps);
    for (const serverId of serverIds) this.#changed(serverId);
    return ok({ changed, skipped: [...named.value.unknown, ...skipped] });
  }

  /** The same for a request: thousands in slices, one request after the other. A store that refuses a slice ends it: `details.changed` were moved and stay. */
  setMany(input: AccessInput, by: string): AccessAnswer | Promise<AccessAnswer> {
    const named = this.#named(input);
    if (!named.ok) return named;
    if (this.#bulks === 0 && named.value.entries.length <= ENTRIES_AT_ONCE) return this.set(input, by);
    this.#bulks += 1;
    const set = this.#lastBulk.then(() => this.#bulk(named.value, input, by)).finally(() => {
      this.#bulks -= 1;
    });
    this.#lastBulk = set.catch(() => undefined);
    return set;
  }

  async #bulk({ entries, unknown }: Named, { principal, allowed }: AccessInput, by: string): Promise<AccessAnswer> {
    const done = { changed: 0, serverIds: new Set<string>() };
    this.#revoked.clear();
    try {
      const { changed, skipped } = await setAccessInSlices(entries, principal, allowed, by, this.#deps, (serverId) => this.#revoked.has(serverId), done);
      return ok({ changed, skipped: [...unknown, ...skipped] });
    } catch (error) {
      const cause = storeFault(error);
      if (!cause) throw error;
      return err({ ...cause, details: { ...cause.details, changed: done.changed } });
    } finally {
      for (const serverId of done.serverIds) this.#changed(serverId);
    }
  }

  /** Takes every grant to these; how many there were. */
  revoke(entries: Iterable<Entry>, by: string): number {
    return revokeGrants(entries, by, this.#deps);
  }

  /** Takes every grant to the server's capabilities; how many there were. */
  revokeServer(serverId: string, by: string): number {
    this.#revoked.add(serverId);
    const revoked = this.revoke(this.#deps.index.ofServer(serverId), by);
    if (revoked > 0) this.#changed(serverId);
    return revoked;
  }

  #named(input: AccessInput): Result<Named, Fault> {
    const entries = new Set<Entry>(input.serverId === undefined ? [] : this.#deps.index.ofServer(input.serverId));
    if (input.capabilityId !== undefined) {
      const entry = this.#deps.index.get(input.capabilityId);
      if (!entry) return err(fault('not_found', 'There is no such capability.', { details: { capabilityId: input.capabilityId } }));
      entries.add(entry);
    }
    const unknown: Named['unknown'] = [];
    for (const capabilityId of input.capabilityIds ?? []) {
      const entry = this.#deps.index.get(capabilityId);
      if (entry) entries.add(entry);
      else unknown.push({ capabilityId, reason: 'unknown_capability' });
    }
    return ok({ entries: [...entries], unknown });
  }
}
