import { rm } from 'node:fs/promises';
import { ok, err, type Result } from '../../shared/result.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import type { CircuitState, Installation, Launch, LogLine, ServerDetail, ServerFact, ServerState } from '../../shared/server.ts';
import { readInstallation } from '../store/installations.ts';
import { addServerFact } from '../store/server-facts.ts';
import { deleteServer, listServerIds, listServers, readServer, updateServer, type ServerRow } from '../store/servers.ts';
import type { TaskWants } from './ask-task.ts';
import { SignIns } from './auth/sign-ins.ts';
import type { Completion } from '../../shared/resource.ts';
import { breakOffOverLimit } from './break-off-over-limit.ts';
import { sessionFacts } from './connected-fact.ts';
import { complete, type CompletionAsked } from './complete.ts';
import { Connection, RECOVERY_LIMIT_MS } from './connection.ts';
import { USAGE_LIMITS } from './group-usage.ts';
import { buildLaunch, ownHome, runsOnOwnNode } from './launch.ts';
import { SearchedPath } from './login-path.ts';
import { filledAddress, hasOwnKey } from './open-session.ts';
import { connectionDeps } from './pool-connection.ts';
import type { Connected, ServerPoolDeps, ToolCall } from './pool-deps.ts';
import { refusal } from './prepare-launch.ts';
import { reapRecorded } from './reap-recorded.ts';
import { ResourceWatches, tellsUpdates } from './resource-watches.ts';
import { findCommand } from './search-path.ts';
import type { Session } from './session.ts';
import { START_TURNS, startInTurn } from './start-in-turn.ts';
import { summarize } from './summary.ts';
import type { RecoveringQuestion } from './call-with-recovery.ts';
import type { TaskAnswer } from './task-call.ts';
import type { ToolAnswer } from './wire-answer.ts';

const CHANGED_EVERY_MS = 200;
const NO_ACCESS = { agentAccess: { tools: 0, allowed: 0, allowable: 0 }, grantedCount: 0 };
/** A start that failed by one of these may succeed over another way. */
const OF_THE_WAY: ReadonlySet<string> = new Set(['address_refused', 'proxy_refused', 'certificate_untrusted', 'connection_failed', 'secret_store_locked', 'network_failed']);
/** How long a call waits for the reading that it needs. */
const FRESHEN_LIMIT_MS = 5000;
const unknownServer = (serverId: string): Fault => fault('not_found', `There is no server ${serverId}.`);

const notFresh = (serverId: string): Fault =>
  fault('source_not_fresh', 'What this server offers has changed or is too old, and its list of tools could not be read anew in time; nothing was sent.', {
    remedy: 'Try again in a moment, or read its lists anew (servers:discover); restart the server if it stays so.',
    details: { serverId, limitMs: FRESHEN_LIMIT_MS },
  });

/** All servers: one connection each, whoever asks. The only way to a server's process or endpoint. */
export class ServerPool {
  readonly #deps: ServerPoolDeps;
  /** signing in at remote servers */
  readonly signIns: SignIns;
  readonly #connections = new Map<string, Connection>();
  readonly #watches: ResourceWatches;
  readonly #path: SearchedPath;
  readonly #changed = new Map<string, NodeJS.Timeout>();
  #reaped: Promise<void> = Promise.resolve();
  #watch: NodeJS.Timeout | null = null;
  #closing = false;

  constructor(deps: ServerPoolDeps) {
    this.#deps = deps;
    const { store, secrets, clock, network, clientDocument } = deps;
    this.signIns = new SignIns({
      deps: { store, secrets, clock, outbound: network.outbound, clientDocument: clientDocument ?? (() => null), ...deps.signIn },
      changed: (serverId) => this.#emitChanged(serverId),
      address: (serverId) => this.#addressToSignIn(serverId),
      connect: (serverId) => this.connect(serverId),
      takenBack: (serverId, revoked) => this.#deps.log.info(revoked === null ? 'the login server of a removed server takes no tokens back; they end by themselves' : revoked ? 'the tokens of a removed server were taken back' : 'the tokens of a removed server could not be taken back; they end by themselves', { serverId }),
      signedOut: (serverId, why) => this.#connections.get(serverId)?.breakOff(why),
    });
    this.#watches = new ResourceWatches((serverId, uri) => deps.onResourceUpdated?.(serverId, uri));
    this.#path = deps.open?.path ?? new SearchedPath(process.env['PATH'] ?? '');
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
    const starting = rows.filter((row) => this.#mayStart(row));
    void startInTurn(starting.filter((row) => row.required).concat(starting.filter((row) => !row.required)), async ({ id }) => {
      if (this.#closing) return;
      // it may have been switched off, removed or changed while it waited
      const row = this.#row(id);
      if (row !== null && this.#mayStart(row)) await this.#connection(id).up(false);
    }, START_TURNS, this.#deps.quiet);
  }

  /** Resolves when ready or unavailable. `consent` is the launch fingerprint that a person has just seen. */
  async connect(serverId: string, options: { readonly consent?: string } = {}): Promise<Connected> {
    const row = this.#row(serverId);
    if (row === null) return { state: 'unavailable', code: 'not_found', fault: unknownServer(serverId) };
    const launch = this.launchFor(row);
    if (options.consent === launch.fingerprint && row.consentedFingerprint !== options.consent) this.#consent(serverId, launch);
    const connection = this.#connection(serverId);
    await connection.up(true);
    return flat(connection.state.value);
  }

  /** Starts in the background; the wish survives a restart of the host. */
  async enable(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#update(serverId, { enabled: true })) return err(unknownServer(serverId));
    void this.#connection(serverId).up(true);
    return ok(undefined);
  }

  /** Resolves when nothing of the server runs. */
  async disable(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#update(serverId, { enabled: false })) return err(unknownServer(serverId));
    await this.#connection(serverId).down(fault('disabled', 'The server is switched off.', { remedy: 'Switch it on.' }));
    return ok(undefined);
  }

  /** Stopped for as long as its files are replaced; leaves the candidates at once. `resume` ends it. */
  async suspend(serverId: string): Promise<void> {
    await this.#connections.get(serverId)?.down(fault('not_connected', 'The server is stopped while its files are replaced.', { remedy: 'Wait until the update is done.' }));
  }

  /** Starts again what may start: what is enabled and agreed to. */
  resume(serverId: string): void {
    const row = this.#row(serverId);
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
    this.#watches.forget(serverId);
    this.#deps.onSourceLeft(serverId, 'removed');
    this.#connections.delete(serverId);
    clearTimeout(this.#changed.get(serverId));
    this.#changed.delete(serverId);
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
    if (!this.#update(serverId, { enabled: false, quarantinedAt: this.#deps.clock.now() })) return err(unknownServer(serverId));
    this.#addFact(serverId, { step: 'quarantine', ok: true, data: { quarantined: true, ...(reason === undefined ? {} : { reason }) } });
    await this.#connection(serverId).down(fault('quarantined', reason === undefined ? 'The server is in quarantine.' : `The server is in quarantine: ${reason}`, { remedy: 'Release it first.' }));
    return ok(undefined);
  }

  /** Out of quarantine, still switched off. */
  async release(serverId: string): Promise<Result<void, Fault>> {
    if (!this.#update(serverId, { quarantinedAt: null })) return err(unknownServer(serverId));
    this.#addFact(serverId, { step: 'quarantine', ok: true, data: { quarantined: false } });
    await this.#connection(serverId).down(fault('disabled', 'The server is switched off.', { remedy: 'Switch it on.' }));
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
    const row = this.#row(serverId);
    if (row === null) return;
    const running = this.#connections.get(serverId)?.launch;
    if (running && running.fingerprint !== this.launchOf(serverId)?.fingerprint) this.#update(serverId, { era: null, eraAt: null });
    await this.#connections.get(serverId)?.configured();
    this.#emitChanged(serverId);
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

  /** What would run now; null when there is no such server. */
  launchOf(serverId: string): Launch | null {
    const row = this.#row(serverId);
    return row === null ? null : this.launchFor(row);
  }

  launchFor(row: ServerRow, installation: Installation | null = this.#deps.store.read((db) => readInstallation(db, row.id))): Launch {
    return buildLaunch({
      server: row,
      installation,
      dataDir: this.#deps.dataDir,
      hostNode: this.#deps.hostNode,
      networkNames: this.#deps.network.appNames(runsOnOwnNode(row.spec)),
      ...(this.#deps.assetsDir === undefined ? {} : { assetsDir: this.#deps.assetsDir }),
      resolveCommand: (command, cwd) => this.findProgram(command, cwd),
    });
  }

  /** The absolute file that a launch of this command would start now, or null. */
  findProgram(command: string, cwd = this.#deps.dataDir): string | null {
    const found = findCommand({ command, path: this.#path.current, cwd });
    return found.ok ? found.value : null;
  }

  /** Fingerprint of the launch that runs at this moment. */
  runningLaunchFingerprint(serverId: string): string | null {
    return this.#connections.get(serverId)?.launch?.fingerprint ?? null;
  }

  async callTool(call: ToolCall): Promise<ToolAnswer> {
    const connection = this.#connections.get(call.serverId);
    if (connection === undefined || this.#closing) return { kind: 'failed', sent: false, mayHaveRun: false, fault: fault('not_connected', 'The server is not connected.') };
    return connection.call(call);
  }
  /** Whether the server tells of changed resources, and whether this one is watched. */
  resourceWatch(serverId: string, uri: string | null): { readonly offersWatch: boolean; readonly watched: boolean } {
    const session = this.#connections.get(serverId)?.session;
    return { offersWatch: uri !== null && session !== undefined && session !== null && tellsUpdates(session), watched: uri !== null && this.#watches.has(serverId, uri) };
  }

  /** Errors: not_connected, conflict, protocol_error. */
  async watchResource(serverId: string, uri: string, on: boolean): Promise<Result<null, Fault>> {
    const session = this.#readySession(serverId);
    return session.ok ? this.#watches.set(serverId, session.value, uri, on) : session;
  }

  /** What the server would put into a field. Errors: not_connected, cancelled, timeout, protocol_error. */
  async complete(serverId: string, asked: CompletionAsked, signal: AbortSignal): Promise<Result<Completion, Fault>> {
    const session = this.#readySession(serverId);
    return session.ok ? complete(session.value, asked, this.#deps.mask ?? ((text) => text), signal) : session;
  }

  #readySession(serverId: string): Result<Session, Fault> {
    const session = this.status(serverId).state === 'ready' ? this.#connections.get(serverId)?.session : null;
    return session ? ok(session) : err(fault('not_connected', 'The server is not connected.', { remedy: 'Connect it first.' }));
  }

  /** A server that is not there yet is no answer. */
  async askTask(serverId: string, question: RecoveringQuestion): Promise<TaskAnswer> {
    const connection = this.#closing ? undefined : this.#connections.get(serverId);
    return connection?.askTask(question) ?? { kind: 'failed', fault: fault('not_connected', 'The server is not connected.') };
  }
  async answerTask(serverId: string, wants: TaskWants): Promise<Result<Readonly<Record<string, unknown>>, Fault>> {
    return (await this.#connections.get(serverId)?.answerTask(wants)) ?? err(fault('not_connected', 'The server is not connected.'));
  }

  /** Everything stops in parallel; within 5 s nothing runs. */
  async close(): Promise<void> {
    this.#closing = true;
    this.signIns.close();
    if (this.#watch !== null) clearInterval(this.#watch);
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
    for (const timer of this.#changed.values()) clearTimeout(timer);
    this.#changed.clear();
  }

  #connectFailed(by: (code: string) => boolean): void {
    for (const [serverId, connection] of this.#connections) {
      const state = connection.state.value;
      if (state.state === 'unavailable' && by(state.code)) void this.connect(serverId);
    }
  }

  #addressToSignIn(serverId: string): Result<string, Fault> {
    const launch = this.launchOf(serverId);
    if (launch === null) return err(unknownServer(serverId));
    if (launch.kind !== 'http') return err(fault('invalid_request', 'This server is a program on this computer; there is no signing in to it.', { field: '/serverId' }));
    if (hasOwnKey(launch)) return err(fault('conflict', 'A key of your own (the header Authorization) is configured for this server.', { remedy: 'Remove that header first, then sign in.', details: { header: 'Authorization' } }));
    const { reveal, remember } = this.#deps.secrets;
    return filledAddress(launch, { reveal: (ref) => reveal(ref), remember: (variable, value) => remember?.(variable, value) });
  }

  #row(serverId: string): ServerRow | null {
    return this.#deps.store.read((db) => readServer(db, serverId));
  }

  #mayStart(row: ServerRow): boolean {
    return refusal(row) === null && row.consentedFingerprint !== null && this.#isInstalled(row);
  }

  #isInstalled(row: ServerRow): boolean {
    return row.spec.kind !== 'npm' || this.#deps.store.read((db) => readInstallation(db, row.id)) !== null;
  }

  #update(serverId: string, change: Partial<Omit<ServerRow, 'id' | 'createdAt'>>): boolean {
    const done = this.#deps.store.write((db) => updateServer(db, serverId, change));
    if (done) this.#emitChanged(serverId);
    return done;
  }

  #consent(serverId: string, launch: Launch): void {
    this.#update(serverId, { consentedFingerprint: launch.fingerprint });
    this.#addFact(serverId, { step: 'consented', ok: true, data: { fingerprint: launch.fingerprint, launch } });
  }

  #addFact(serverId: string, fact: Omit<ServerFact, 'at'>): void {
    this.#deps.store.write((db) => addServerFact(db, serverId, { ...fact, at: this.#deps.clock.now() }));
  }

  #connection(serverId: string): Connection {
    let connection = this.#connections.get(serverId);
    if (connection === undefined) {
      connection = new Connection(serverId, connectionDeps(serverId, this.#deps, {
        path: this.#path,
        row: () => this.#row(serverId),
        launch: (row) => this.launchFor(row),
        addFact: (fact) => this.#addFact(serverId, fact),
        changed: () => this.#emitChanged(serverId),
        authorizationFor: (address) => this.signIns.of(serverId).authorizationFor(address),
        reaped: () => this.#reaped,
        ready: () => {
          const session = this.#connections.get(serverId)?.session;
          if (session) this.#watches.ready(serverId, session);
        },
        resourceUpdated: (uri) => void this.#watches.updated(serverId, uri),
      }));
      this.#connections.set(serverId, connection);
    }
    return connection;
  }

  /** At most five events a second for one server; the last state is always told. */
  #emitChanged(serverId: string): void {
    if (this.#closing || this.#changed.has(serverId)) return;
    const timer = setTimeout(() => {
      this.#changed.delete(serverId);
      const row = this.#row(serverId);
      if (row !== null) this.#deps.bus.emit('server:changed', { server: this.#deps.store.read((db) => summarize(db, row, this.status(serverId), this.#deps.accessOf?.(serverId) ?? NO_ACCESS)) });
    }, CHANGED_EVERY_MS).unref();
    this.#changed.set(serverId, timer);
  }
}

const flat = (state: ServerState): Connected => (state.state === 'unavailable' ? { state: state.state, code: state.code, fault: state.fault as Fault } : { state: state.state });
