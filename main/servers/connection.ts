import { fault, type Fault } from '../../shared/fault.ts';
import type { CircuitState, Launch } from '../../shared/server.ts';
import type { LateListeners } from './call-on-wire.ts';
import { answerTask, askTask, callMasked, type TaskWants } from './ask-task.ts';
import type { Recovery, RecoveringCall, RecoveringQuestion } from './call-with-recovery.ts';
import { Alarm } from './alarm.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { connectedFact, unreadFault } from './connected-fact.ts';
import { StateCell } from './connection-state.ts';
import { Driver } from './driver.ts';
import { keepsOlderEra, type Live } from './live-session.ts';
import { maskFault } from './mask-fault.ts';
import { maskSession } from './mask-offer.ts';
import { openSession } from './open-session.ts';
import { configurationMark, prepareLaunch } from './prepare-launch.ts';
import { readLists, unauthorizedReading } from './read-lists.ts';
import { crashLoop, endpointTrouble, isRecovered, RecoveryCourse } from './recovery-course.ts';
import { RefreshPace, type ToolsRead } from './refresh-pace.ts';
import { ServerDiagnostics } from './server-diagnostics.ts';
import { ServerLog } from './server-log.ts';
import { sessionEvents } from './session-events.ts';
import type { Session } from './session.ts';
import { Silence } from './silence.ts';
import type { TaskAnswer } from './task-call.ts';
import { tellLogLevel } from './tell-log-level.ts';
import { waitWhile } from './wait-while.ts';
import type { ToolAnswer } from './wire-answer.ts';

/** How long a call or a turn waits for a source that is being recovered. */
export const RECOVERY_LIMIT_MS = 15_000;

/**
 * One server's life. Whatever is clicked, one driver at a time brings it to the last wish, and a stop is finished before the next start, so that there are never
 * two processes (P08, C018). Everything that ends by itself passes the recovery course (P01, RC01).
 */
export class Connection {
  readonly serverId: string;
  readonly state: StateCell;
  readonly log: ServerLog;
  readonly diagnostics = new ServerDiagnostics();
  readonly #deps: ConnectionDeps;
  readonly #course: RecoveryCourse;
  readonly #driver: Driver;
  readonly #late: LateListeners = new WeakMap();
  readonly #silence = new Silence();
  #wish: 'up' | 'down' = 'down';
  #downBecause: Fault = fault('disabled', 'The server is switched off.');
  #live: Live | null = null;
  #starting: AbortController | null = null;
  readonly #retry = new Alarm();
  /** until a person or a change of configuration says otherwise */
  #gaveUp = false;
  #restart = false;
  #olderEraOnly = false;
  #settled: (() => void)[] = [];
  #renewing: Promise<Live | null> | null = null;
  readonly #ready = (): Live | null => (this.state.value.state === 'ready' ? this.#live : null);

  constructor(serverId: string, deps: ConnectionDeps) {
    this.serverId = serverId;
    this.#deps = deps;
    this.#course = new RecoveryCourse(deps);
    this.#driver = new Driver(() =>
      this.#run().catch((error: unknown) => {
        deps.log.error('a server connection failed unexpectedly', { serverId, error: error instanceof Error ? error.stack : String(error) });
        this.#gaveUp = true;
        this.#rest(fault('internal', 'Gantry failed while it worked on this server; the log has more.'));
      }),
    );
    this.log = new ServerLog(() => deps.clock.now(), (lines, droppedLines) => deps.logged(lines, droppedLines));
    this.state = new StateCell((state) => {
      deps.changed();
      if (state.state === 'ready' || state.state === 'unavailable') this.#settled.splice(0).forEach((done) => done());
    });
  }

  get session(): Session | null {
    return this.#live?.session ?? null;
  }
  get launch(): Launch | null {
    return this.#live?.launch ?? null;
  }
  get circuit(): CircuitState {
    return this.#course.circuit;
  }

  /** It failed, and is being tried again on a fresh connection. */
  get #isRecovering(): boolean {
    if (this.#wish !== 'up' || this.#gaveUp || this.state.value.state === 'ready' || !this.#course.isClosed) return false;
    const lost = this.#live?.lost ?? null;
    return this.#renewing !== null || (lost === null ? this.circuit.failures > 0 : isRecovered(lost.code));
  }

  /** A new start is at hand: what failed before is not shown beside it. */
  #turnOver(): void {
    if (this.state.value.state !== 'unavailable') return;
    this.state.to({ state: this.#live === null ? 'connecting' : 'stopping', since: this.#deps.clock.now() });
  }

  /** Resolves when ready or unavailable. A person's start counts anew and does not wait for a back-off. */
  async up(byPerson: boolean): Promise<void> {
    if (!byPerson && (this.#gaveUp || this.#retry.isSet)) return;
    if (byPerson) this.#forgetFailures();
    this.#wish = 'up';
    if (this.state.value.state === 'ready' && this.#driver.isIdle) return;
    // a paused session is kept for its running calls; a person does not wait for it
    if (this.#live !== null && this.#live.lost === null && this.state.value.state === 'unavailable') this.#restart = true;
    if (this.#live === null) this.#turnOver();
    const settled = this.#settles();
    this.#driver.ask();
    await settled;
  }

  /** Stops and stays stopped; resolves when nothing of it runs. */
  async down(because: Fault): Promise<void> {
    this.#wish = 'down';
    this.#downBecause = because;
    this.#retry.clear();
    this.#interrupt(because.code);
    this.#driver.ask();
    await this.#driver.idle();
  }

  /** The configuration may have changed: what runs with an old one leaves the candidates at once and is stopped; a start with the new one follows where it may. */
  async configured(): Promise<void> {
    const row = this.#deps.row();
    if (row === null || this.#wish === 'down') return;
    const live = this.#live;
    if (live !== null && configurationMark(this.#deps.launch(row), this.#deps.reveal) === live.mark) return this.#tellLogLevel(live);
    this.#forgetFailures();
    this.#olderEraOnly = false;
    this.#restart = live !== null || this.#starting !== null;
    this.#interrupt('configuration changed');
    this.#turnOver();
    this.#driver.ask();
    await live?.session.transport.stop();
  }

  #tellLogLevel({ session }: Live): Promise<void> {
    return tellLogLevel(session, this.#deps.row()?.logLevel, (refused) => this.log.add('host', this.#deps.mask(refused)));
  }
  discoverAgain(): Promise<void> {
    return this.#live?.pace.now() ?? Promise.resolve();
  }

  /** Null when what was read of its tools (`alsoOthers`: of anything) still stands, or nothing is connected; else whether it could be read anew within this time (S63). */
  freshen(limitMs: number, maxAgeMs: number, alsoOthers: boolean): Promise<boolean> | null {
    const pace = this.#ready()?.pace;
    return pace?.isDue(maxAgeMs, alsoOthers) ? pace.settle(limitMs, alsoOthers) : null;
  }

  /** Stopped at once because of what it does to the system (P09); not started again by itself. */
  breakOff(why: Fault): void {
    // the reason first: a transport that is stopped tells one of its own
    const live = this.#live;
    if (live !== null) this.#ended(live, why);
    void live?.session.transport.stop();
  }

  call(call: RecoveringCall): Promise<ToolAnswer> {
    return callMasked(this.#recovery, call, this.#deps.mask);
  }
  askTask(question: RecoveringQuestion): Promise<TaskAnswer> {
    return askTask(this.#recovery, question, this.#deps.mask);
  }
  answerTask(wants: TaskWants): ReturnType<typeof answerTask> {
    return answerTask(this.#recovery, wants);
  }
  get #recovery(): Recovery<Live> {
    const { mask } = this.#deps;
    return {
      late: this.#late,
      state: () => this.state.value,
      ready: this.#ready,
      renew: (old) => this.#renew(old),
      ended: (live, why) => this.#ended(live, maskFault(why, mask)),
      comesBack: (live, why) => this.#comesBack(live, maskFault(why, mask)),
      answered: () => this.#course.answered(),
      definitionMoved: (live) => live.pace.notice(),
      troubled: (live, why) => this.#pause(live, maskFault(endpointTrouble(why), mask)),
      unanswered: (live, since) => void this.#silence.unanswered(live.session, since).then((dead) => dead !== null && this.#ended(live, dead)),
    };
  }

  /** Null where nothing is being recovered; else resolves when it is ready, given up, or this time is over. */
  recovers(limitMs: number): Promise<void> | null {
    return this.#isRecovering ? waitWhile(() => this.#isRecovering, () => this.#settles(), limitMs) : null;
  }

  async #comesBack(live: Live, why: Fault): Promise<Live | null> {
    this.#ended(live, why);
    await this.recovers(RECOVERY_LIMIT_MS);
    return this.#ready();
  }

  /** Its endpoint is in trouble or asks for a pause: nothing more is sent until the time is over; calls under way may end. */
  #pause(live: Live, why: Fault): void {
    if (this.#live !== live || live.lost !== null || !this.#stays || this.state.value.state !== 'ready') return;
    const waitMs = this.#course.troubled(why);
    if (waitMs === null) return;
    this.#deps.onSourceLeft(why.code);
    this.log.add('host', why.message);
    this.#retry.set(waitMs, () => void this.#probe(live));
    this.#rest(why, waitMs);
  }

  /** The pause is over: what it offers is read anew, on the session that was kept. */
  async #probe(live: Live): Promise<void> {
    if (this.#live !== live || live.lost !== null || !this.#stays) return this.#driver.ask();
    this.#course.begins();
    this.state.to({ state: 'discovering', since: this.#deps.clock.now() });
    await this.#discover(live);
    if (live.lost !== null) this.#driver.ask();
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
      this.#renewing ??= this.#anew().finally(() => void (this.#renewing = null));
    }
    return this.#renewing ?? this.#ready();
  }

  async #anew(): Promise<Live | null> {
    this.log.add('host', 'The endpoint ended the session; a new one is opened.');
    this.#restart = true;
    const settled = this.#settles();
    this.#driver.ask();
    await settled;
    return this.#ready();
  }

  #interrupt(reason: string): void {
    if (this.state.value.state === 'ready') this.#deps.onSourceLeft(reason);
    this.#starting?.abort();
    void this.#live?.session.transport.stop();
  }

  #forgetFailures(): void {
    this.#course.reset();
    this.#gaveUp = false;
    this.#retry.clear();
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
    this.#driver.ask();
  }

  /** Brings the server to its wish; each round does one thing to its end. */
  async #run(): Promise<void> {
    await this.#deps.reaped;
    for (;;) {
      const live = this.#live;
      if (live !== null && (!this.#stays || live.lost !== null)) await this.#stop(live);
      else if (this.#wish === 'down') return this.#rest(this.#downBecause);
      else if (live !== null || this.#retry.isSet || this.#gaveUp) return;
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
    live.session.questions.leave();
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
      level: () => current.live?.session.logging.level ?? null,
    });
    const mode = this.#olderEraOnly || keepsOlderEra(row, this.#deps.clock.now()) ? 'legacy' : 'auto';
    this.#course.begins();
    const lastLines = (): string[] => this.log.ring.last(10, 'stderr', firstSeq);
    const opened = await openSession({ row, launch, reveal: this.#deps.reveal, remember: this.#deps.remember, mode, events, signal: starting.signal, lastLines, authorizationFor: this.#deps.authorizationFor, agreedKinds: this.#deps.agreedKinds }, { ...this.#deps.open, probeFailed: () => this.#probeFailed() });
    this.#starting = null;
    // silence until the end: the newer era's question may have deafened it, so the next try does without
    if (!opened.ok && opened.error.code === 'start_timeout') this.#olderEraOnly = mode === 'auto';
    if (!opened.ok && starting.signal.aborted) {
      this.state.to({ state: 'stopping', since: this.#deps.clock.now() });
      return this.state.to({ state: 'installed' });
    }
    if (!opened.ok) return this.#failed(maskFault(opened.error, this.#deps.mask), 0);
    const live: Live = { session: maskSession(opened.value, this.#deps.mask), launch, mark, token: current.token, pace: new RefreshPace(() => this.#read(live)), readyAt: null, lists: null, lost: null };
    current.live = live;
    this.#live = live;
    this.#deps.keepEra(live.session.era);
    this.#deps.addFact(connectedFact(live.session, live.launch));
    void this.#tellLogLevel(live);
    if (starting.signal.aborted || !this.#stays) return;
    this.state.to({ state: 'discovering', since: this.#deps.clock.now() });
    // an end before the lines above had nobody to tell
    if ('hasExited' in live.session.transport && live.session.transport.hasExited) this.#ended(live, fault('exited', 'The server ended right after the handshake.'));
    await this.#discover(live);
  }

  /** The second start that follows counts as a try like any other. */
  #probeFailed(): void {
    this.#olderEraOnly = true;
    this.#course.used();
  }

  async #discover(live: Live): Promise<void> {
    await live.pace.now();
    if (live.lost !== null || !this.#stays) return;
    live.lost = unreadFault(live.lists?.fact);
    if (live.lost !== null) return;
    live.readyAt = this.#deps.clock.monotonic();
    this.#course.ready();
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
    unauthorizedReading(lists.fact, (why) => this.#ended(live, why));
    this.#deps.changed();
    return { ok: tools.outcome !== 'failed', ttlMs: lists.toolsTtlMs, found: lists.definitions };
  }

  #latestLine(text: string): void {
    const state = this.state.value;
    if (state.state === 'connecting') this.state.to({ ...state, latestLine: text.slice(0, 500).toWellFormed() });
  }

  #failed(why: Fault, ranMs: number): void {
    this.log.add('host', why.message);
    const retryMs = this.#course.failed(why, ranMs, this.#deps.row()?.spec.kind === 'http');
    const { tries } = this.#course;
    const shown = retryMs === null && why.code === 'exited' ? crashLoop(why, tries) : why;
    this.#deps.addFact({ step: 'failure', ok: false, data: { code: shown.code, message: shown.message, tries } });
    this.#retry.clear();
    if (retryMs === null) this.#gaveUp = true;
    else this.#retry.set(retryMs, () => this.#driver.ask());
    this.#rest(shown, retryMs);
  }

  #rest(why: Fault, retryMs: number | null = null): void {
    const before = this.state.value;
    if (before.state === 'unavailable' && before.fault === why && retryMs === null) return;
    const now = this.#deps.clock.now();
    const { tries } = this.#course;
    this.state.to({ state: 'unavailable', since: now, code: why.code, fault: why, ...(retryMs === null ? {} : { retryAt: now + retryMs }), ...(tries > 0 ? { tries } : {}) });
  }
}
