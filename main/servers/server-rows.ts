import type { Launch, ServerFact } from '../../shared/server.ts';
import { readInstallation } from '../store/installations.ts';
import { addServerFact } from '../store/server-facts.ts';
import { readServer, updateServer, type ServerRow } from '../store/servers.ts';
import type { ServerPoolDeps } from './pool-deps.ts';
import { refusal } from './prepare-launch.ts';

/** What is on record of the servers, and what the pool adds to it. */
export class ServerRows {
  readonly #deps: Pick<ServerPoolDeps, 'store' | 'clock'>;
  readonly #changed: (serverId: string) => void;

  constructor(deps: Pick<ServerPoolDeps, 'store' | 'clock'>, changed: (serverId: string) => void) {
    this.#deps = deps;
    this.#changed = changed;
  }

  read(serverId: string): ServerRow | null {
    return this.#deps.store.read((db) => readServer(db, serverId));
  }

  /** False when there is no such server. */
  update(serverId: string, change: Partial<Omit<ServerRow, 'id' | 'createdAt'>>): boolean {
    const done = this.#deps.store.write((db) => updateServer(db, serverId, change));
    if (done) this.#changed(serverId);
    return done;
  }

  /** A person has just seen this launch and agreed to it. */
  consent(serverId: string, launch: Launch): void {
    this.update(serverId, { consentedFingerprint: launch.fingerprint });
    this.addFact(serverId, { step: 'consented', ok: true, data: { fingerprint: launch.fingerprint, launch } });
  }

  addFact(serverId: string, fact: Omit<ServerFact, 'at'>): void {
    this.#deps.store.write((db) => addServerFact(db, serverId, { ...fact, at: this.#deps.clock.now() }));
  }

  /** Enabled, agreed to and installed. */
  mayStart(row: ServerRow): boolean {
    const isInstalled = row.spec.kind !== 'npm' || this.#deps.store.read((db) => readInstallation(db, row.id)) !== null;
    return refusal(row) === null && row.consentedFingerprint !== null && isInstalled;
  }
}
