import type { Entry } from './capability-index.ts';

export interface SourceDeps {
  readonly launchFingerprintOf: (serverId: string) => string | null;
  readonly serverStateOf: (serverId: string) => { readonly ready: boolean; readonly reason?: string | undefined };
}

interface Reading {
  readonly at: number;
  readonly launchFingerprint: string;
  /** of the words that came with the handshake; null: none */
  readonly instructionsFingerprint: string | null;
}

/**
 * Whether a server can be used at this moment: asked live, so that a disabled, quarantined, failing or reconfigured one leaves the candidates at once
 * (design section 4). Readings are of this run of the host: what was read before a restart is listed, not used.
 */
export class Sources {
  readonly #deps: SourceDeps;
  readonly #readings = new Map<string, Reading>();
  readonly #left = new Map<string, string>();
  /** counts departures, so that a reading that was under way does not undo one */
  readonly #departures = new Map<string, number>();

  constructor(deps: SourceDeps) {
    this.#deps = deps;
  }

  departures(serverId: string): number {
    return this.#departures.get(serverId) ?? 0;
  }

  read(serverId: string, reading: Reading, departuresBefore: number): void {
    this.#readings.set(serverId, reading);
    if (this.departures(serverId) === departuresBefore) this.#left.delete(serverId);
  }

  leave(serverId: string, reason: string): void {
    this.#left.set(serverId, reason);
    this.#departures.set(serverId, this.departures(serverId) + 1);
  }

  forget(serverId: string): void {
    this.#readings.delete(serverId);
    this.leave(serverId, 'server_removed');
  }

  wasRead(serverId: string): boolean {
    return this.#readings.has(serverId);
  }

  /** null: usable; else why not, as a code (worded where it is shown). */
  serverReason(serverId: string): string | null {
    const state = this.#deps.serverStateOf(serverId);
    if (!state.ready) return state.reason ?? this.#left.get(serverId) ?? 'not_connected';
    const left = this.#left.get(serverId);
    if (left !== undefined) return left;
    const reading = this.#readings.get(serverId);
    if (!reading) return 'not_read_yet';
    if (this.#deps.launchFingerprintOf(serverId) !== reading.launchFingerprint) return 'configuration_changed';
    return null;
  }

  /** null: available; else why not. `serverReason` may be given when it is known. */
  reason(entry: Entry, serverReason: string | null = this.serverReason(entry.row.serverId)): string | null {
    if (!entry.row.present) return 'gone';
    if (serverReason !== null) return serverReason;
    return entry.row.lastSeenAt === this.#readings.get(entry.row.serverId)?.at ? null : 'incomplete_reading';
  }

  launchFingerprint(serverId: string): string {
    return this.#readings.get(serverId)?.launchFingerprint ?? '';
  }

  /** What the server is bound by now: the launch that would answer at this moment, the instructions of the latest reading. */
  bound(serverId: string): { readonly launchFingerprint: string; readonly instructionsFingerprint: string | null } {
    return { launchFingerprint: this.#deps.launchFingerprintOf(serverId) ?? this.launchFingerprint(serverId), instructionsFingerprint: this.#readings.get(serverId)?.instructionsFingerprint ?? null };
  }
}
