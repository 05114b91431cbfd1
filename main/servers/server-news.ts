import type { CircuitState, ServerState } from '../../shared/server.ts';
import { readServer } from '../store/servers.ts';
import type { ServerPoolDeps } from './pool-deps.ts';
import { summarize } from './summary.ts';

const CHANGED_EVERY_MS = 200;
const NO_ACCESS = { agentAccess: { tools: 0, allowed: 0, allowable: 0 }, grantedCount: 0 };

/** `server:changed`: at most five events a second for one server; the last state is always told. */
export class ServerNews {
  readonly #deps: Pick<ServerPoolDeps, 'store' | 'bus' | 'accessOf'>;
  readonly #stateOf: (serverId: string) => { readonly status: ServerState; readonly circuit: CircuitState };
  readonly #due = new Map<string, NodeJS.Timeout>();
  #closed = false;

  constructor(deps: Pick<ServerPoolDeps, 'store' | 'bus' | 'accessOf'>, stateOf: (serverId: string) => { readonly status: ServerState; readonly circuit: CircuitState }) {
    this.#deps = deps;
    this.#stateOf = stateOf;
  }

  tell(serverId: string): void {
    if (this.#closed || this.#due.has(serverId)) return;
    this.#due.set(serverId, setTimeout(() => this.#emit(serverId), CHANGED_EVERY_MS).unref());
  }

  forget(serverId: string): void {
    clearTimeout(this.#due.get(serverId));
    this.#due.delete(serverId);
  }

  /** Nothing is told from here on. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
  }

  #emit(serverId: string): void {
    this.#due.delete(serverId);
    const { store, bus, accessOf } = this.#deps;
    const server = store.read((db) => {
      const row = readServer(db, serverId);
      return row && summarize(db, row, this.#stateOf(serverId), accessOf?.(serverId) ?? NO_ACCESS);
    });
    if (server !== null) bus.emit('server:changed', { server });
  }
}
