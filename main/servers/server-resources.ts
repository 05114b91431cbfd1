import { fault, type Fault } from '../../shared/fault.ts';
import type { Completion } from '../../shared/resource.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { complete, type CompletionAsked } from './complete.ts';
import { ResourceWatches, tellsUpdates } from './resource-watches.ts';
import type { Session } from './session.ts';

interface ServerResourcesDeps {
  readonly onUpdated: (serverId: string, uri: string) => void;
  readonly mask: (text: string) => string;
  /** the live one, ready or not */
  readonly session: (serverId: string) => Session | null;
  readonly isReady: (serverId: string) => boolean;
}

/** What a person asks of a ready server beside calls: to be told of changed resources, and suggestions for a field. */
export class ServerResources {
  readonly watches: ResourceWatches;
  readonly #deps: ServerResourcesDeps;

  constructor(deps: ServerResourcesDeps) {
    this.#deps = deps;
    this.watches = new ResourceWatches(deps.onUpdated);
  }

  /** Whether the server tells of changed resources, and whether this one is watched. */
  watchOf(serverId: string, uri: string | null): { readonly offersWatch: boolean; readonly watched: boolean } {
    if (uri === null) return { offersWatch: false, watched: false };
    const session = this.#deps.session(serverId);
    return { offersWatch: session !== null && tellsUpdates(session), watched: this.watches.has(serverId, uri) };
  }

  /** Errors: not_connected, conflict, protocol_error. */
  async watch(serverId: string, uri: string, on: boolean): Promise<Result<null, Fault>> {
    const session = this.#ready(serverId);
    return session.ok ? this.watches.set(serverId, session.value, uri, on) : session;
  }

  /** What the server would put into a field. Errors: not_connected, cancelled, timeout, protocol_error. */
  async complete(serverId: string, asked: CompletionAsked, signal: AbortSignal): Promise<Result<Completion, Fault>> {
    const session = this.#ready(serverId);
    return session.ok ? complete(session.value, asked, this.#deps.mask, signal) : session;
  }

  #ready(serverId: string): Result<Session, Fault> {
    const session = this.#deps.isReady(serverId) ? this.#deps.session(serverId) : null;
    return session ? ok(session) : err(fault('not_connected', 'The server is not connected.', { remedy: 'Connect it first.' }));
  }
}
