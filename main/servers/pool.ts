import { rm } from 'node:fs/promises';
import { ok, err, type Result } from '../../shared/result.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import type { CircuitState, LogLine, ServerDetail, ServerState } from '../../shared/server.ts';
import { deleteServer, listServerIds, listServers } from '../store/servers.ts';
import type { TaskWants } from './ask-task.ts';
import { addressToSignIn } from './auth/sign-in-address.ts';
import { SignIns } from './auth/sign-ins.ts';
import { breakOffOverLimit } from './break-off-over-limit.ts';
import { sessionFacts } from './connected-fact.ts';
import { RECOVERY_LIMIT_MS } from './coming-back.ts';
import { Connection } from './connection.ts';
import { USAGE_LIMITS } from './group-usage.ts';
import { ownHome } from './launch.ts';
import { Launches } from './launches.ts';
import { connectionDeps } from './pool-connection.ts';
import type { Connected, ServerPoolDeps, ToolCall } from './pool-deps.ts';
import { FRESHEN_LIMIT_MS, notConnected, notFresh, OF_THE_WAY, switchedOff, unknownServer } from './pool-faults.ts';
import { refusal } from './prepare-launch.ts';
import { reapRecorded } from './reap-recorded.ts';
import { ServerNews } from './server-news.ts';
import { ServerResources } from './server-resources.ts';
import { ServerRows } from './server-rows.ts';
import { START_TURNS, startInTurn } from './start-in-turn.ts';
import type { RecoveringQuestion } from './call-with-recovery.ts';
import type { TaskAnswer } from './task-call.ts';
import type { ToolAnswer } from './wire-answer.ts';

/** All servers: one connection each, whoever asks. The only way to a server's process or endpoint. */
export class ServerPool {
  readonly #deps: ServerPoolDeps;
  /** signing in at remote servers */
  readonly signIns: SignIns;
  /** what is watched, and what is suggested for a field */
  readonly resources: ServerResources;
  /** what would run */
  readonly launches: Launches;
  readonly #connections = new Map<string, Connection>();
  readonly #rows: ServerRows;
  readonly #news: ServerNews;
  #reaped: Promise<void> = Promise.resolve();
  #watch: NodeJS.Timeout | null = null;
  #closing = false;

  constructor(deps: ServerPoolDeps) {
    this.#deps = deps;
    const { store, secrets, clock, network, clientDocument } = deps;
    this.signIns = new SignIns({
      deps: { store, secrets, clock, outbound: network.outbound, clientDocument: clientDocument ?? (() => null), ...deps.signIn },
      changed: (serverId) => this.#news.tell(serverId),
      address: (serverId) => {
        const launch = this.launches.of(serverId);
        return launch === null ? err(unknownServer(serverId)) : addressToSignIn(launch, secrets);
      },
      connect: (serverId) => this.connect(serverId),
      takenBack: (serverId, revoked) => this.#deps.log.info(revoked === null ? 'the login server of a removed server takes no tokens back; they end by themselves' : revoked ? 'the tokens of a removed server were taken back' : 'the tokens of a removed server could not be taken back; they end by themselves', { serverId }),
      signedOut: (serverId, why) => this.#connections.get(serverId)?.breakOff(why),
    });
    this.resources = new ServerResources({
      onUpdated: (serverId, uri) => deps.onResourceUpdated?.(serverId, uri),
      mask: (text) => deps.mask?.(text) ?? text,
      session: (serverId) => this.#connections.get(serverId)?.session ?? null,
      isReady: (serverId) => this.status(serverId).state === 'ready',
    });
    this.launches = new Launches(deps);
    this.#news = new ServerNews(deps, (serverId) => ({ status: this.status(serverId), circuit: this.circuit(serverId) }));
    this.#rows = new ServerRows(deps, (serverId) => this.#news.tell(serverId));
  }

  /** Ends what a crash left behind, then connects what is enabled and agreed to, in the background. */
  start(): void {
    this.#reaped = reapRecorded(this.#deps);
    const limits = this.#deps.usage ?? USAGE_LIMITS;
    this.#watch = setInterval(() => breakOffOverLimit([...this.#connections.values()], limits), limits.everyMs).unref();
    const rows = this.#deps.store.read(listServers);
    // what is switched off says so after a restart as it did before
    for (const row of rows) {
      const refused = refusal(row);
      if (refused !== null) void this.#connection(row.id).down(refused);
    }
    const starting = rows.filter((row) => this.#rows.mayStart(row));
    void startInTurn(starting.filter((row) => row.required).concat(starting.filter((row) => !row.required)), async ({ id }) => {
      if (this.#closing) return;
      // it may have been switched off, removed or changed while it waited
      const row = this.#rows.read(id);
      if (row !== null && this.#rows.mayStart(row)) await this.#connection(id).up(false);
    }, START_TURNS, this.#deps.quiet);
  }

  /** Resolves when ready or unavailable. `consent` is the launch fingerprint that a person has just seen. */
  async connect(serverId: string, options: { readonly consent?: string } = {}): Promise<Connected> {
    const row = this.#rows.read(serverId);
    if (row === null) return { state: 'unavailable', code: 'not_found', fault: unknownServer(serverId) };
    const launch = this.launches.for(row);
    if (options.consent === launch.fingerprint && row.consentedFingerprint !== options.consent) this.#rows.consent(serverId, launch);
    const connection = this.#connection(serverId);
    await connection.up(true);
    return flat(connection.state.value);
  }

  /** Starts in the background; the wish survives a restart of the host. */
  async enable(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#rows.update(serverId, { enabled: true })) return err(unknownServer(serverId));
    void this.#connection(serverId).up(true);
    return ok(undefined);
  }

  /** Resolves when nothing of the server runs. */
  async disable(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#rows.update(serverId, { enabled: false })) return err(unknownServer(serverId));
    await this.#connection(serverId).down(switchedOff());
    return ok(undefined);
  }

  /** Stopped for as long as its files are replaced; leaves the candidates at once. `resume` ends it. */
  async suspend(serverId: string): Promise<void> {
    await this.#connections.get(serverId)?.down(fault('not_connected', 'The server is stopped while its files are replaced.', { remedy: 'Wait until the update is done.' }));
  }

  /** Starts again what may start: what is enabled and agreed to. */
  resume(serverId: string): void {
    const row = this.#rows.read(serverId);
    if (row === null) return;
    const refused = refusal(row);
    if (refused !== null) void this.#connections.get(serverId)?.down(refused);
    else if (row.consentedFingerprint !== null) void this.#connection(serverId).up(true);
  }

  /** Stops it first; then its row, and what hangs on it, is removed; also a row that cannot be read. */
  async remove(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#deps.store.read(listServerIds).includes(serverId)) return err(unknownServer(serverId));
    const connection = this.#connections.get(serverId);
    await connection?.down(fault('not_found', 'The server was removed.'));
    connection?.log.close();
    this.signIns.removing(serverId);
    this.resources.watches.forget(serverId);
    this.#deps.onSourceLeft(serverId, 'removed');
    this.#connections.delete(serverId);
    this.#news.forget(serverId);
    this.#deps.store.write((db) => deleteServer(db, serverId));
    // the app's own home goes with it; a home given by the user is not ours to touch
    await rm(ownHome(this.#deps.dataDir, serverId), { recursive: true, force: true }).catch(() => {});
    this.#deps.bus.emit('server:removed', { serverId });
    return ok(undefined);
  }

  /** Reads the lists anew; connects first where needed. */
  async discover(serverId: string): Promise<Connected> {
    if (this.status(serverId).state !== 'ready') return this.connect(serverId);
    await this.#connection(serverId).discoverAgain();
    return flat(this.status(serverId));
  }

  /**
   * Null when what was read of the server's tools still stands (S63), or with `alsoOthers` of its resources and prompts, too. A server that is being recovered is waited for, within RECOVERY_LIMIT_MS. Else its lists are read anew, within FRESHEN_LIMIT_MS and shared by all who wait; null then,
   * also when the server is gone meanwhile, or `source_not_fresh`.
   */
  freshen(serverId: string, maxAgeMs = Infinity, alsoOthers = false): Promise<Fault | null> | null {
    const recovery = this.#connections.get(serverId)?.recovers(RECOVERY_LIMIT_MS) ?? null;
    if (recovery !== null) return recovery.then(() => this.#freshen(serverId, maxAgeMs, alsoOthers));
    return this.#freshen(serverId, maxAgeMs, alsoOthers);
  }

  #freshen(serverId: string, maxAgeMs: number, alsoOthers: boolean): Promise<Fault | null> | null {
    const reading = this.#connections.get(serverId)?.freshen(FRESHEN_LIMIT_MS, maxAgeMs, alsoOthers) ?? null;
    return reading === null ? null : reading.then((read) => (read || this.status(serverId).state !== 'ready' ? null : notFresh(serverId)));
  }

  /** Stopped, switched off and marked; grants are the caller's. */
  async quarantine(serverId: string, reason?: string): Promise<Result<void, Fault>> {
    if (!this.#rows.update(serverId, { enabled: false, quarantinedAt: this.#deps.clock.now() })) return err(unknownServer(serverId));
    this.#rows.addFact(serverId, { step: 'quarantine', ok: true, data: { quarantined: true, ...(reason === undefined ? {} : { reason }) } });
    await this.#connection(serverId).down(fault('quarantined', reason === undefined ? 'The server is in quarantine.' : `The server is in quarantine: ${reason}`, { remedy: 'Release it first.' }));
    return ok(undefined);
  }

  /** Out of quarantine, still switched off. */
  async release(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#rows.update(serverId, { quarantinedAt: null })) return err(unknownServer(serverId));
    this.#rows.addFact(serverId, { step: 'quarantine', ok: true, data: { quarantined: false } });
    await this.#connection(serverId).down(switchedOff());
    return ok(undefined);
  }

  logs(serverId: string, afterSeq?: number): { readonly lines: LogLine[]; readonly droppedLines: number; readonly nextSeq: number } {
    return this.#connections.get(serverId)?.log.ring.after(afterSeq) ?? { lines: [], droppedLines: 0, nextSeq: 1 };
  }

  status(serverId: string): ServerState {
    return this.#connections.get(serverId)?.state.value ?? { state: 'installed' };
  }

  circuit(serverId: string): CircuitState {
    return this.#connections.get(serverId)?.circuit ?? { state: 'closed', failures: 0 };
  }

  /** Fresh and healthy, for funnel, turns and calls alike: ready, with its circuit closed; else why not. */
  health(serverId: string): { readonly ready: boolean; readonly reason?: string } {
    const status = this.status(serverId);
    if (status.state === 'ready') return { ready: true };
    const circuit = this.circuit(serverId);
    const reason = status.state === 'unavailable' ? status.code : status.state;
    return { ready: false, reason: circuit.state === 'closed' ? reason : `circuit_${circuit.state}: ${circuit.code}` };
  }

  /** What was agreed on the live connection; null when there is none. */
  connectionInfo(serverId: string): ServerDetail['connection'] {
    const session = this.#connections.get(serverId)?.session;
    return session ? sessionFacts(session) : null;
  }

  diagnostics(serverId: string): ServerDetail['diagnostics'] {
    const connection = this.#connections.get(serverId);
    return connection?.diagnostics.view(connection.log.ring.droppedLines) ?? { junkLines: 0, junkSamples: [], stderrDroppedLines: 0, anomalies: [], restarts: 0 };
  }

  /** Call after any change of a server's row or secrets. What runs with another configuration leaves the candidates at once; resolves when it is stopped. */
  async configChanged(serverId: string): Promise<void> {
    if (this.#rows.read(serverId) === null) return;
    const running = this.#connections.get(serverId)?.launch;
    if (running && running.fingerprint !== this.launches.of(serverId)?.fingerprint) this.#rows.update(serverId, { era: null, eraAt: null });
    await this.#connections.get(serverId)?.configured();
    this.#news.tell(serverId);
  }

  /** Other folders were named for it. */
  rootsChanged(serverId: string): void {
    this.#connections.get(serverId)?.session?.questions.rootsChanged();
  }

  /** Servers that waited for the secret store start again. */
  secretsUnlocked(): void {
    this.#connectFailed((code) => code.startsWith('secret_store'));
  }

  /** The way out is another one: what failed on it is tried again. */
  networkChanged(): void {
    this.#connectFailed((code) => OF_THE_WAY.has(code));
  }

  /** Fingerprint of the launch that runs at this moment. */
  runningLaunchFingerprint(serverId: string): string | null {
    return this.#connections.get(serverId)?.launch?.fingerprint ?? null;
  }

  async callTool(call: ToolCall): Promise<ToolAnswer> {
    const connection = this.#connections.get(call.serverId);
    if (connection === undefined || this.#closing) return { kind: 'failed', sent: false, mayHaveRun: false, fault: notConnected() };
    return connection.calls.call(call);
  }

  /** A server that is not there yet is no answer; one that was removed never will be. */
  async askTask(serverId: string, question: RecoveringQuestion): Promise<TaskAnswer> {
    const connection = this.#closing ? undefined : this.#connections.get(serverId);
    return connection?.calls.askTask(question) ?? { kind: 'failed', fault: this.#closing || this.#deps.store.read(listServerIds).includes(serverId) ? notConnected() : fault('not_found', 'The server was removed.') };
  }
  async answerTask(serverId: string, wants: TaskWants): Promise<Result<Readonly<Record<string, unknown>>, Fault>> {
    return (await this.#connections.get(serverId)?.calls.answerTask(wants)) ?? err(notConnected());
  }

  /** Everything stops in parallel; within 5 s nothing runs. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#news.close();
    this.signIns.close();
    if (this.#watch !== null) clearInterval(this.#watch);
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }

  #connectFailed(by: (code: string) => boolean): void {
    for (const [serverId, connection] of this.#connections) {
      const state = connection.state.value;
      if (state.state === 'unavailable' && by(state.code)) void this.connect(serverId);
    }
  }

  #connection(serverId: string): Connection {
    let connection = this.#connections.get(serverId);
    if (connection === undefined) {
      connection = new Connection(serverId, connectionDeps(serverId, this.#deps, {
        path: this.launches.path,
        row: () => this.#rows.read(serverId),
        launch: (row) => this.launches.for(row),
        addFact: (fact) => this.#rows.addFact(serverId, fact),
        changed: () => this.#news.tell(serverId),
        authorizationFor: (address) => this.signIns.of(serverId).authorizationFor(address),
        reaped: () => this.#reaped,
        ready: () => {
          const session = this.#connections.get(serverId)?.session;
          if (session) this.resources.watches.ready(serverId, session);
        },
        resourceUpdated: (uri) => void this.resources.watches.updated(serverId, uri),
      }));
      this.#connections.set(serverId, connection);
    }
    return connection;
  }
}

const flat = (state: ServerState): Connected => (state.state === 'unavailable' ? { state: state.state, code: state.code, fault: state.fault as Fault } : { state: state.state });
