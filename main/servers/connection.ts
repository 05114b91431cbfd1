import { fault, type Fault } from '../../shared/fault.ts';
import type { Launch } from '../../shared/server.ts';
import type { LateListeners } from './call-on-wire.ts';
import { callWithRecovery, type RecoveringCall } from './call-with-recovery.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { StateCell } from './connection-state.ts';
import { CrashBudget } from './crash-budget.ts';
import type { DiscoveredLists } from './discovered-lists.ts';
import { maskCall, maskOutcome } from './mask-call.ts';
import { maskFault } from './mask-fault.ts';
import { maskSession } from './mask-offer.ts';
import { openSession } from './open-session.ts';
import { configurationMark, prepareLaunch } from './prepare-launch.ts';
import { mayRetry, readLists } from './read-lists.ts';
import { RefreshPace, type ToolsRead } from './refresh-pace.ts';
import { ServerDiagnostics } from './server-diagnostics.ts';
import { ServerLog } from './server-log.ts';
import { sessionEvents } from './session-events.ts';
import type { Session } from './session.ts';
import type { WireOutcome } from './wire-outcome.ts';

/** A session with what it was started from. */
interface Live {
  readonly session: Session;
  readonly launch: Launch;
  /** of the configuration it runs with */
  readonly mark: string;
  readonly token: string | null;
  readonly pace: RefreshPace;
  /** monotonic */
  readyAt: number | null;
  lists: DiscoveredLists | null;
  /** why it ended by itself */
  lost: Fault | null;
}

const ERA_KEPT_MS = 7 * 24 * 3600 * 1000;
/** HeaderMismatch (2026-07-28): the endpoint refused a call because the headers do not fit its tool as it stands now. */
const HEADER_MISMATCH = -32020;
/** The rest is final until something changes (design section 4). */
const RETRIED: ReadonlySet<string> = new Set(['exited', 'start_timeout', 'connection_failed', 'endpoint_error', 'timeout', 'frame_too_large']);

/**
 * One server's life. Whatever is clicked, one driver at a time brings it to the last wish, and a stop is finished before the next start, so that there are never
 * two processes (P08, C018). Everything that ends by itself passes the crash budget (P01).
 */
export class Connection {
  readonly serverId: string;
  readonly state: StateCell;
  readonly log: ServerLog;
  readonly diagnostics = new ServerDiagnostics();
  readonly #deps: ConnectionDeps;
  readonly #budget: CrashBudget;
  readonly #late: LateListeners = new WeakMap();
  #wish: 'up' | 'down' = 'down';
  #downBecause: Fault = fault('disabled', 'The server is switched off.');
  #live: Live | null = null;
  #starting: AbortController | null = null;
  #retryTimer: NodeJS.Timeout | null = null;
  /** failed for good until a person or a change of configuration says otherwise */
  #gaveUp = false;
  #restart = false;
  #olderEraOnly = false;
  #driving: Promise<void> | null = null;
  #dirty = false;
  #settled: (() => void)[] = [];
  #renewing: Promise<Live | null> | null = null;

  constructor(serverId: string, deps: ConnectionDeps) {
    this.serverId = serverId;
    this.#deps = deps;
    this.#budget = new CrashBudget({ stableMs: deps.stableRunMs, firstWaitMs: deps.crashFirstWaitMs, random: deps.random });
    this.log = new ServerLog(() => deps.clock.now(), (lines, droppedLines) => deps.logged(lines, droppedLines));
    this.state = new StateCell((state) => {
      deps.changed();
      if (state.state === 'ready' || state.state === 'unavailable') for (const done of this.#settled.splice(0)) done();
    });
  }

  get session(): Session | null {
    return this.#live?.session ?? null;
  }

  get launch(): Launch | null {
    return this.#live?.launch ?? null;
  }

  /** A new start is at hand: what failed before is not shown beside it. */
  #turnOver(): void {
    if (this.state.value.state !== 'unavailable') return;
    this.state.to({ state: this.#live === null ? 'connecting' : 'stopping', since: this.#deps.clock.now() });
  }

  /** Resolves when ready or unavailable. A person's start counts anew and does not wait for a back-off. */
  async up(byPerson: boolean): Promise<void> {
    if (!byPerson && (this.#gaveUp || this.#retryTimer !== null)) return;
    if (byPerson) this.#forgetFailures();
    this.#wish = 'up';
    if (this.state.value.state === 'ready' && this.#driving === null) return;
    if (this.#live === null) this.#turnOver();
    const settled = this.#settles();
    this.#drive();
    await settled;
  }

  /** Stops and stays stopped; resolves when nothing of it runs. */
  async down(because: Fault): Promise<void> {
    this.#wish = 'down';
    this.#downBecause = because;
    this.#clearRetry();
    this.#interrupt(because.code);
    this.#drive();
    while (this.#driving !== null) await this.#driving;
  }

  /** The configuration may have changed: what runs with an old one leaves the candidates at once and is stopped; a start with the new one follows where it may. */
  async configured(): Promise<void> {
    const row = this.#deps.row();
    if (row === null || this.#wish === 'down') return;
    const live = this.#live;
    if (live !== null && configurationMark(this.#deps.launch(row), this.#deps.reveal) === live.mark) return;
    this.#forgetFailures();
    this.#olderEraOnly = false;
    this.#restart = live !== null || this.#starting !== null;
    this.#interrupt('configuration changed');
    this.#turnOver();
    this.#drive();
    await live?.session.transport.stop();
  }

  discoverAgain(): Promise<void> {
    return this.#live?.pace.now() ?? Promise.resolve();
  }

  /** Null when what was read of its tools still stands, or nothing is connected; else whether they could be read anew within this time (S63). */
  freshen(limitMs: number, maxAgeMs: number): Promise<boolean> | null {
    const pace = this.state.value.state === 'ready' ? this.#live?.pace : undefined;
    return pace?.isDue(maxAgeMs) ? pace.settle(limitMs) : null;
  }

  /** Stopped at once because of what it does to the system (P09); not started again by itself. */
  breakOff(why: Fault): void {
    if (this.#live !== null) {
      void this.#live.session.transport.stop();
      this.#ended(this.#live, why);
    }
  }

  async call(call: RecoveringCall): Promise<WireOutcome> {
    const { mask } = this.#deps;
    const ready = (): Live | null => (this.state.value.state === 'ready' ? this.#live : null);
    const outcome = await callWithRecovery<Live>({ late: this.#late, isDue: (live) => live.pace.isDue(), state: () => this.state.value, ready, renew: (old) => this.#renew(old), ended: (live, why) => this.#ended(live, maskFault(why, mask)) }, maskCall(call, mask));
    if (outcome.kind === 'rpc_error' && outcome.rpcCode === HEADER_MISMATCH) this.#live?.pace.notice();
    return maskOutcome(outcome, mask);
  }

  async close(): Promise<void> {
    await this.down(fault('not_connected', 'Gantry is closing.'));
    this.log.close();
  }

  #settles(): Promise<void> {
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  async #renew(old: Live): Promise<Live | null> {
    if (this.#live === old) {
      this.#renewing ??= (async () => {
        this.log.add('host', 'The endpoint ended the session; a new one is opened.');
        this.#restart = true;
        const settled = this.#settles();
        this.#drive();
        await settled;
        return this.state.value.state === 'ready' ? this.#live : null;
      })().finally(() => {
        this.#renewing = null;
      });
    }
    return this.#renewing ?? (this.state.value.state === 'ready' ? this.#live : null);
  }

  #interrupt(reason: string): void {
    if (this.state.value.state === 'ready') this.#deps.onSourceLeft(reason);
    this.#starting?.abort();
    // the ladder begins now; the driver waits for its end
    void this.#live?.session.transport.stop();
  }

  #forgetFailures(): void {
    this.#budget.reset();
    this.#gaveUp = false;
    this.#clearRetry();
  }

  #clearRetry(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
  }

  get #stays(): boolean {
    return this.#wish === 'up' && !this.#restart;
  }

  /** A session ended by itself: it leaves the candidates at once. */
  #ended(live: Live, why: Fault): void {
    if (this.#live !== live || live.lost !== null || !this.#stays) return;
    live.lost = why;
    if (this.state.value.state === 'ready') {
      this.#deps.onSourceLeft(why.code);
      this.state.to({ state: 'unavailable', since: this.#deps.clock.now(), code: why.code, fault: why });
    }
    this.#drive();
  }

  #drive(): void {
    this.#dirty = true;
    if (this.#driving !== null) return;
    this.#driving = this.#run()
      .catch((error: unknown) => {
        this.#deps.log.error('a server connection failed unexpectedly', { serverId: this.serverId, error: error instanceof Error ? error.stack : String(error) });
        this.#gaveUp = true;
        this.#rest(fault('internal', 'Gantry failed while it worked on this server; the log has more.'));
      })
      .finally(() => {
        this.#driving = null;
        if (this.#dirty) this.#drive();
      });
  }

  /** Brings the server to its wish; each round does one thing to its end. */
  async #run(): Promise<void> {
    await this.#deps.reaped;
    for (;;) {
      this.#dirty = false;
      const live = this.#live;
      if (live !== null && (!this.#stays || live.lost !== null)) await this.#stop(live);
      else if (this.#wish === 'down') return this.#rest(this.#downBecause);
      else if (live !== null || this.#retryTimer !== null || this.#gaveUp) return;
      else {
        this.#restart = false;
        await this.#bringUp();
      }
    }
  }

  async #stop(live: Live): Promise<void> {
    if (this.#stays) this.diagnostics.restarted();
    else if (this.state.value.state !== 'stopping') this.state.to({ state: 'stopping', since: this.#deps.clock.now() });
    live.pace.stop();
    const gone = await live.session.transport.stop();
    this.#live = null;
    if (!gone) this.log.add('host', 'A part of this server outlived SIGKILL; it is looked for again at the next start.');
    else if (live.token !== null) this.#deps.forgetProcess(live.token);
    if (this.state.value.state === 'stopping') this.state.to({ state: 'installed' });
    if (this.#stays && live.lost !== null) this.#failed(live.lost, live.readyAt === null ? 0 : this.#deps.clock.monotonic() - live.readyAt);
  }

  async #bringUp(): Promise<void> {
    this.#turnOver();
    const prepared = await prepareLaunch(this.#deps);
    if (!this.#stays) return;
    if (!prepared.ok) return this.#failed(prepared.error, 0);
    const { row, launch } = prepared.value;
    this.state.to({ state: 'connecting', since: this.#deps.clock.now() });
    const starting = new AbortController();
    this.#starting = starting;
    const keptEra = row.era === 'legacy' && row.eraAt !== null && this.#deps.clock.now() - row.eraAt < ERA_KEPT_MS;
    const current: { live: Live | null; token: string | null } = { live: null, token: null };
    const mark = configurationMark(launch, this.#deps.reveal);
    const firstSeq = this.log.ring.nextSeq;
    this.log.ring.begin();
    const events = sessionEvents({
      log: this.log,
      diagnostics: this.diagnostics,
      deps: this.#deps,
      late: this.#late,
      latestLine: (text) => this.#latestLine(text),
      listChanged: (kind) => current.live?.pace.notice(kind === 'tools'),
      token: (token) => (current.token = token),
      closed: (why) => current.live !== null && this.#ended(current.live, why),
    });
    const mode = this.#olderEraOnly || keptEra ? 'legacy' : 'auto';
    this.#budget.started(this.#deps.clock.monotonic());
    const opened = await openSession(
      { row, launch, reveal: this.#deps.reveal, remember: this.#deps.remember, mode, events, signal: starting.signal, lastLines: () => this.log.ring.last(10, 'stderr', firstSeq) },
      { ...this.#deps.open, probeFailed: () => this.#probeFailed() },
    );
    this.#starting = null;
    // silence until the end: the newer era's question may have deafened it, so the next try does without
    if (!opened.ok && opened.error.code === 'start_timeout') this.#olderEraOnly = mode === 'auto';
    if (!opened.ok) return starting.signal.aborted ? this.#halted() : this.#failed(maskFault(opened.error, this.#deps.mask), 0);
    const live: Live = { session: maskSession(opened.value, this.#deps.mask), launch, mark, token: current.token, pace: new RefreshPace(() => this.#read(live)), readyAt: null, lists: null, lost: null };
    current.live = live;
    this.#live = live;
    this.#connected(live);
    if (starting.signal.aborted || !this.#stays) return;
    this.state.to({ state: 'discovering', since: this.#deps.clock.now() });
    // an end before the lines above had nobody to tell
    if ('hasExited' in live.session.transport && live.session.transport.hasExited) this.#ended(live, fault('exited', 'The server ended right after the handshake.'));
    await this.#discover(live);
  }

  /** The second start that follows counts as a try like any other. */
  #probeFailed(): void {
    this.#olderEraOnly = true;
    this.#budget.ended(0, this.#deps.clock.monotonic());
  }

  #halted(): void {
    this.state.to({ state: 'stopping', since: this.#deps.clock.now() });
    this.state.to({ state: 'installed' });
  }

  #connected(live: Live): void {
    const { session, launch } = live;
    this.#deps.keepEra(session.era);
    const data = { transport: session.kind, era: session.era, protocolVersion: session.protocolVersion, serverInfo: session.serverInfo, connectMs: session.connectMs, launch: launch.fingerprint };
    this.#deps.addFact({ step: 'connected', ok: true, data: session.pid === null ? data : { ...data, pid: session.pid } });
  }

  async #discover(live: Live): Promise<void> {
    await live.pace.now();
    if (live.lost !== null || !this.#stays) return;
    const fact = live.lists?.fact;
    const read = fact === undefined ? [] : [fact.tools, fact.resources, fact.resourceTemplates, fact.prompts];
    const failed = read.find((r) => r.outcome === 'failed');
    if (fact === undefined || (failed !== undefined && !read.some((r) => r.outcome === 'read'))) {
      const { message, remedy, details } = failed?.outcome === 'failed' ? failed.fault : fault('discovery_failed', 'What the server offers could not be read.');
      live.lost = fault(fact !== undefined && mayRetry(fact) ? 'timeout' : 'discovery_failed', message, { ...(remedy === undefined ? {} : { remedy }), ...(details === undefined ? {} : { details }) });
      return;
    }
    live.readyAt = this.#deps.clock.monotonic();
    this.state.to({ state: 'ready', since: this.#deps.clock.now() });
    this.#deps.onReady(live.session.icons, live.launch.kind === 'http' ? live.launch.url : null);
  }

  /** One reading; every failure is a fact, none is zero. */
  async #read(live: Live): Promise<ToolsRead> {
    const lists = await readLists(live.session, { serverId: this.serverId, launchFingerprint: live.launch.fingerprint, at: this.#deps.clock.now(), mask: this.#deps.mask });
    if (this.#live !== live || live.lost !== null || !this.#stays) return { ok: false };
    const { tools, resources, resourceTemplates, prompts } = lists.fact;
    this.#deps.saveDiscovery(lists);
    this.#deps.addFact({ step: 'discovered', ok: [tools, resources, resourceTemplates, prompts].every((r) => r.outcome !== 'failed'), data: { tools, resources, resourceTemplates, prompts } });
    await this.#deps.onDiscovered(lists);
    live.lists = lists;
    this.#deps.changed();
    return { ok: tools.outcome !== 'failed', ttlMs: lists.toolsTtlMs };
  }

  #latestLine(text: string): void {
    const state = this.state.value;
    if (state.state === 'connecting') this.state.to({ ...state, latestLine: text.slice(0, 500).toWellFormed() });
  }

  #failed(why: Fault, ranMs: number): void {
    this.log.add('host', why.message);
    let shown = why;
    let retryMs: number | null = null;
    if (RETRIED.has(why.code)) {
      retryMs = this.#budget.ended(ranMs, this.#deps.clock.monotonic());
      if (retryMs === null && why.code === 'exited') {
        const { tries } = this.#budget;
        shown = fault('crash_loop', `The server keeps exiting: it was tried ${tries} times and is left stopped. ${why.message}`, { remedy: 'Look at its last lines, mend the cause, then connect.', details: { ...why.details, tries } });
      }
    }
    this.#deps.addFact({ step: 'failure', ok: false, data: { code: shown.code, message: shown.message, tries: this.#budget.tries } });
    if (retryMs === null) this.#gaveUp = true;
    else {
      this.#retryTimer = setTimeout(() => {
        this.#retryTimer = null;
        this.#drive();
      }, retryMs);
    }
    this.#rest(shown, retryMs);
  }

  #rest(why: Fault, retryMs: number | null = null): void {
    const before = this.state.value;
    if (before.state === 'unavailable' && before.fault === why && retryMs === null) return;
    const now = this.#deps.clock.now();
    const { tries } = this.#budget;
    this.state.to({ state: 'unavailable', since: now, code: why.code, fault: why, ...(retryMs === null ? {} : { retryAt: now + retryMs }), ...(tries > 0 ? { tries } : {}) });
  }
}
