import { fault, type Fault } from '../../shared/fault.ts';
import type { CircuitState, Launch } from '../../shared/server.ts';
import type { LateListeners } from './call-on-wire.ts';
import type { Recovery } from './call-with-recovery.ts';
import { ComingBack, RECOVERY_LIMIT_MS } from './coming-back.ts';
import { ConnectionCalls } from './connection-calls.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { connectedFact, unreadFault } from './connected-fact.ts';
import { StateCell } from './connection-state.ts';
import { Driver } from './driver.ts';
import { EraChoice } from './era-choice.ts';
import { endLive, type Live } from './live-session.ts';
import { maskFault } from './mask-fault.ts';
import { openLive } from './open-live.ts';
import { configurationMark, prepareLaunch } from './prepare-launch.ts';
import { readLive } from './read-live.ts';
import { endpointTrouble } from './recovery-course.ts';
import { ServerDiagnostics } from './server-diagnostics.ts';
import { ServerLog } from './server-log.ts';
import type { Session } from './session.ts';
import { Silence } from './silence.ts';
import { tellLogLevel } from './tell-log-level.ts';
import { waitWhile } from './wait-while.ts';

/**
 * One server's life. Whatever is clicked, one driver at a time brings it to the last wish, and a stop is finished before the next start, so that there are never
 * two processes (P08, C018). Everything that ends by itself passes the recovery course (P01, RC01).
 */
export class Connection {
  readonly serverId: string;
  readonly state: StateCell;
  readonly log: ServerLog;
  readonly diagnostics = new ServerDiagnostics();
  readonly calls: ConnectionCalls;
  readonly #deps: ConnectionDeps;
  readonly #back: ComingBack;
  readonly #driver: Driver;
  readonly #late: LateListeners = new WeakMap();
  readonly #silence = new Silence();
  #wish: 'up' | 'down' = 'down';
  #downBecause: Fault = fault('disabled', 'The server is switched off.');
  #live: Live | null = null;
  #starting: AbortController | null = null;
  #restart = false;
  readonly #era = new EraChoice();
  readonly #ready = (): Live | null => (this.state.value.state === 'ready' ? this.#live : null);

  constructor(serverId: string, deps: ConnectionDeps) {
    this.serverId = serverId;
    this.#deps = deps;
    this.log = new ServerLog(() => deps.clock.now(), (lines, droppedLines) => deps.logged(lines, droppedLines));
    this.state = new StateCell((state) => {
      deps.changed();
      if (state.state === 'ready' || state.state === 'unavailable') this.#back.settle();
    });
    this.#back = new ComingBack({ deps, state: this.state, log: this.log });
    this.calls = new ConnectionCalls(this.#recovery(), deps.mask);
    this.#driver = new Driver(() =>
      this.#run().catch((error: unknown) => {
        deps.log.error('a server connection failed unexpectedly', { serverId, error: error instanceof Error ? error.stack : String(error) });
        this.#back.giveUp(fault('internal', 'Gantry failed while it worked on this server; the log has more.'));
      }),
    );
  }

  get session(): Session | null {
    return this.#live?.session ?? null;
  }
  get launch(): Launch | null {
    return this.#live?.launch ?? null;
  }
  get circuit(): CircuitState {
    return this.#back.course.circuit;
  }

  get #isRecovering(): boolean {
    return this.#wish === 'up' && this.#back.isUnderWay(this.#live?.lost ?? null);
  }

  /** Resolves when ready or unavailable. A person's start counts anew and does not wait for a back-off. */
  async up(byPerson: boolean): Promise<void> {
    if (!byPerson && this.#back.rests) return;
    if (byPerson) this.#back.forget();
    this.#wish = 'up';
    if (this.state.value.state === 'ready' && this.#driver.isIdle) return;
    // a paused session is kept for its running calls; a person does not wait for it
    if (this.#live !== null && this.#live.lost === null && this.state.value.state === 'unavailable') this.#restart = true;
    if (this.#live === null) this.state.turnOver(this.#live !== null, this.#deps.clock.now());
    const settled = this.#back.settles();
    this.#driver.ask();
    await settled;
  }

  /** Stops and stays stopped; resolves when nothing of it runs. */
  async down(because: Fault): Promise<void> {
    this.#wish = 'down';
    this.#downBecause = because;
    this.#back.stop();
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
    this.#back.forget();
    this.#era.forget();
    this.#restart = live !== null || this.#starting !== null;
    this.#interrupt('configuration changed');
    this.state.turnOver(this.#live !== null, this.#deps.clock.now());
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

  #recovery(): Recovery<Live> {
    const { mask } = this.#deps;
    return {
      late: this.#late,
      state: () => this.state.value,
      ready: this.#ready,
      renew: (old) => this.#renew(old),
      ended: (live, why) => this.#ended(live, maskFault(why, mask)),
      comesBack: (live, why) => this.#comesBack(live, maskFault(why, mask)),
      answered: () => this.#back.course.answered(),
      definitionMoved: (live) => live.pace.notice(),
      troubled: (live, why) => this.#ready() === live && this.#stands(live) && this.#back.pause(maskFault(endpointTrouble(why), mask), () => void this.#probe(live)),
      unanswered: (live, since) => void this.#silence.unanswered(live.session, since).then((dead) => dead !== null && this.#ended(live, dead)),
    };
  }

  /** Null where nothing is being recovered; else resolves when it is ready, given up, or this time is over. */
  recovers(limitMs: number): Promise<void> | null {
    return this.#isRecovering ? waitWhile(() => this.#isRecovering, () => this.#back.settles(), limitMs) : null;
  }

  async #comesBack(live: Live, why: Fault): Promise<Live | null> {
    this.#ended(live, why);
    await this.recovers(RECOVERY_LIMIT_MS);
    return this.#ready();
  }

  /** The pause is over: what it offers is read anew, on the session that was kept. */
  async #probe(live: Live): Promise<void> {
    if (!this.#stands(live)) return this.#driver.ask();
    this.#back.course.begins();
    this.state.to({ state: 'discovering', since: this.#deps.clock.now() });
    await this.#discover(live);
    if (live.lost !== null) this.#driver.ask();
  }

  async close(): Promise<void> {
    await this.down(fault('not_connected', 'Gantry is closing.'));
    this.log.close();
  }

  async #renew(old: Live): Promise<Live | null> {
    return this.#back.renew(this.#live === old ? () => this.#anew() : null) ?? this.#ready();
  }

  async #anew(): Promise<Live | null> {
    this.log.add('host', 'The endpoint ended the session; a new one is opened.');
    this.#restart = true;
    const settled = this.#back.settles();
    this.#driver.ask();
    await settled;
    return this.#ready();
  }

  #interrupt(reason: string): void {
    if (this.state.value.state === 'ready') this.#deps.onSourceLeft(reason);
    this.#starting?.abort();
    void this.#live?.session.transport.stop();
  }

  get #stays(): boolean {
    return this.#wish === 'up' && !this.#restart;
  }

  /** It is the session that counts, and is to go on. */
  #stands(live: Live): boolean {
    return this.#live === live && live.lost === null && this.#stays;
  }

  /** A session ended by itself: it leaves the candidates at once. */
  #ended(live: Live, why: Fault): void {
    if (!this.#stands(live)) return;
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
      else if (this.#wish === 'down') return this.#back.rest(this.#downBecause);
      else if (live !== null || this.#back.rests) return;
      else {
        this.#restart = false;
        await this.#bringUp();
      }
    }
  }

  async #stop(live: Live): Promise<void> {
    if (this.#stays) this.diagnostics.restarted();
    else if (this.state.value.state !== 'stopping') this.state.to({ state: 'stopping', since: this.#deps.clock.now() });
    await endLive(live, { log: this.log, forgetProcess: (token) => this.#deps.forgetProcess(token) });
    this.#live = null;
    if (this.state.value.state === 'stopping') this.state.to({ state: 'installed' });
    if (this.#stays && live.lost !== null) this.#failed(live.lost, live.readyAt === null ? 0 : this.#deps.clock.monotonic() - live.readyAt);
  }

  async #bringUp(): Promise<void> {
    this.state.turnOver(this.#live !== null, this.#deps.clock.now());
    const prepared = await prepareLaunch(this.#deps);
    if (!this.#stays) return;
    if (!prepared.ok) return this.#failed(prepared.error, 0);
    this.state.to({ state: 'connecting', since: this.#deps.clock.now() });
    const starting = (this.#starting = new AbortController());
    const mode = this.#era.mode(prepared.value.row, this.#deps.clock.now());
    this.#back.course.begins();
    const opened = await openLive({ ...prepared.value, mode, signal: starting.signal }, {
      deps: this.#deps,
      log: this.log,
      diagnostics: this.diagnostics,
      late: this.#late,
      latestLine: (text) => this.state.latestLine(text),
      closed: (live, why) => this.#ended(live, why),
      read: (live) => readLive(this.serverId, live, { deps: this.#deps, stands: () => this.#stands(live), unauthorized: (why) => this.#ended(live, why) }),
      // the second start that follows counts as a try like any other
      probeFailed: () => {
        this.#era.olderOnly();
        this.#back.course.used();
      },
    });
    this.#starting = null;
    if (!opened.ok && starting.signal.aborted) {
      this.state.to({ state: 'stopping', since: this.#deps.clock.now() });
      return this.state.to({ state: 'installed' });
    }
    if (!opened.ok) return this.#era.failed(mode, opened.error) ? undefined : this.#failed(opened.error, 0);
    const live = opened.value;
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

  async #discover(live: Live): Promise<void> {
    await live.pace.now();
    if (live.lost !== null || !this.#stays) return;
    live.lost = unreadFault(live.lists?.fact);
    if (live.lost !== null) return;
    live.readyAt = this.#deps.clock.monotonic();
    this.#back.course.ready();
    this.#era.ready();
    this.state.to({ state: 'ready', since: this.#deps.clock.now() });
    this.#deps.onReady(live.session.icons, live.launch.kind === 'http' ? live.launch.url : null);
  }

  #failed(why: Fault, ranMs: number): void {
    this.#back.failed(why, ranMs, () => this.#driver.ask());
  }
}
