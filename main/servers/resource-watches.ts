import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { rawRequest, type Session } from './session.ts';

/** Of one server: more would make a storm of a single change. */
const MOST_WATCHED = 200;
const REQUEST_MS = 15_000;

interface Watched {
  readonly uris: Set<string>;
  /** of the newer era: the subscription that stands, with the URIs it was asked for */
  standing: { readonly session: Session; close(): Promise<void> } | null;
  /** changes one after the other */
  turn: Promise<unknown>;
}

/** True where the server says that it tells of changed resources. */
export const tellsUpdates = (session: Pick<Session, 'capabilities'>): boolean => (session.capabilities['resources'] as { subscribe?: unknown } | undefined)?.subscribe === true;

const notOffered = fault('conflict', 'This server does not tell when a resource changes.', { remedy: 'Read the resource again when you need it.' });

/**
 * Which resources are watched, by server: up to 2025-11-25 with `resources/subscribe`, in 2026-07-28 on a subscription of its own (`subscriptions/listen`), which
 * is opened anew for another set. Kept over reconnections, until Gantry ends. A URI goes to the server that named it and nowhere else.
 */
export class ResourceWatches {
  readonly #servers = new Map<string, Watched>();
  readonly #onUpdated: (serverId: string, uri: string) => void;

  constructor(onUpdated: (serverId: string, uri: string) => void) {
    this.#onUpdated = onUpdated;
  }

  has(serverId: string, uri: string): boolean {
    return this.#servers.get(serverId)?.uris.has(uri) === true;
  }

  /** Errors: conflict (not offered, too many), and what the server or the wire says. To stop watching always succeeds here. */
  async set(serverId: string, session: Session, uri: string, on: boolean): Promise<Result<null, Fault>> {
    const watched = this.#of(serverId);
    if (on === watched.uris.has(uri)) return ok(null);
    if (on && !tellsUpdates(session)) return err(notOffered);
    if (on && watched.uris.size >= MOST_WATCHED) return err(fault('conflict', `At most ${MOST_WATCHED} resources of one server are watched.`, { remedy: 'Stop watching another one first.' }));
    if (on) watched.uris.add(uri);
    else watched.uris.delete(uri);
    const done = await this.#inTurn(watched, () => this.#tell(watched, session, uri, on));
    if (!done.ok && on) watched.uris.delete(uri);
    return on ? done : ok(null);
  }

  /** A session is ready: what was watched is watched on it, too. What cannot be is watched no longer. */
  ready(serverId: string, session: Session): void {
    const watched = this.#servers.get(serverId);
    if (watched === undefined || watched.uris.size === 0) return;
    const missed = [...watched.uris];
    void this.#inTurn(watched, async () => {
      if (!tellsUpdates(session)) watched.uris.clear();
      else if (session.era === 'modern') {
        if (!(await this.#listen(watched, session)).ok) watched.uris.clear();
      } else for (const uri of missed) if (!(await this.#request(session, 'resources/subscribe', uri)).ok) watched.uris.delete(uri);
      // what changed in between is unknown, so it counts as a change
      for (const uri of missed) this.#onUpdated(serverId, uri);
      return ok(null);
    });
  }

  /** The server says that this one changed, or a part of one (a sub-resource may be named). False: nobody watches it. */
  updated(serverId: string, uri: string): boolean {
    const uris = this.#servers.get(serverId)?.uris;
    const meant = uris === undefined ? undefined : uris.has(uri) ? uri : [...uris].find((watched) => uri.startsWith(watched) && /^[/?#]/.test(uri.slice(watched.length)));
    if (meant === undefined) return false;
    this.#onUpdated(serverId, meant);
    return true;
  }

  forget(serverId: string): void {
    this.#servers.delete(serverId);
  }

  #of(serverId: string): Watched {
    let watched = this.#servers.get(serverId);
    if (watched === undefined) this.#servers.set(serverId, (watched = { uris: new Set(), standing: null, turn: Promise.resolve() }));
    return watched;
  }

  #inTurn(watched: Watched, work: () => Promise<Result<null, Fault>>): Promise<Result<null, Fault>> {
    const done = watched.turn.then(work);
    watched.turn = done.catch(() => undefined);
    return done;
  }

  #tell(watched: Watched, session: Session, uri: string, on: boolean): Promise<Result<null, Fault>> {
    if (session.era === 'modern') return this.#listen(watched, session);
    return this.#request(session, on ? 'resources/subscribe' : 'resources/unsubscribe', uri);
  }

  async #request(session: Session, method: string, uri: string): Promise<Result<null, Fault>> {
    try {
      await rawRequest(session.client, method, { uri }, { timeout: REQUEST_MS });
      return ok(null);
    } catch (error) {
      return err(failed(error));
    }
  }

  /** The new one stands before the old one goes, so that nothing is missed in between. */
  async #listen(watched: Watched, session: Session): Promise<Result<null, Fault>> {
    const before = watched.standing;
    try {
      const resourceSubscriptions = [...watched.uris];
      watched.standing = resourceSubscriptions.length === 0 ? null : { session, close: await session.client.listen({ resourceSubscriptions }, { timeout: REQUEST_MS }).then((subscription) => () => subscription.close()) };
    } catch (error) {
      return err(failed(error));
    }
    if (before?.session === session) await before.close().catch(() => {});
    return ok(null);
  }
}

const failed = (error: unknown): Fault => {
  const words = (error instanceof Error ? error.message : String(error)).toWellFormed().slice(0, 500);
  return fault('protocol_error', 'The server did not take the request to be told of changes.', { details: { serverWords: words } });
};
