import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import type { NewEvent } from '../evidence/recorder.ts';
import type { Retried } from '../servers/recovery-course.ts';

/** A source that a run does not use any more. */
export interface Isolation {
  readonly serverId: string;
  /** what was confirmed */
  readonly why: Fault;
  /** ms since epoch; null while it is away */
  readonly backSince: number | null;
}

interface Run {
  /** sources that it called, or whose tools a model of it was shown */
  readonly used: Set<string>;
  readonly isolated: Map<string, Isolation>;
  /** isolations that its model has not been told of */
  readonly untold: Set<string>;
  /** calls that hold it open; Infinity for a run that its owner ends */
  holds: number;
}

export interface RunIsolationsDeps {
  readonly now: () => number;
  /** evidence of a run; must not throw */
  readonly note: (runId: string, event: NewEvent) => void;
}

/**
 * Sources that a run under way has stopped using after a confirmed failure. They stay out of it until it ends, also when they come back: what a model was told of
 * a source, and what it has half done with it, does not hold across a failure (design section 4).
 */
export class RunIsolations {
  readonly #deps: RunIsolationsDeps;
  readonly #runs = new Map<string, Run>();

  constructor(deps: RunIsolationsDeps) {
    this.#deps = deps;
  }

  begin(runId: string): void {
    this.#run(runId).holds = Infinity;
  }

  end(runId: string): void {
    this.#runs.delete(runId);
  }

  uses(runId: string, serverIds: Iterable<string>): void {
    const run = this.#runs.get(runId);
    for (const serverId of serverIds) run?.used.add(serverId);
  }

  /** One call is under way; call the answer when it has ended. */
  calling(runId: string, serverId: string): () => void {
    const run = this.#run(runId);
    run.holds += 1;
    run.used.add(serverId);
    return () => {
      run.holds -= 1;
      if (run.holds === 0) this.#runs.delete(runId);
    };
  }

  /** A source failed, and its recovery too. */
  confirmed(serverId: string, why: Fault): void {
    for (const [runId, run] of this.#using(serverId)) {
      if (run.isolated.has(serverId)) continue;
      run.isolated.set(serverId, { serverId, why, backSince: null });
      run.untold.add(serverId);
      this.#deps.note(runId, { type: 'source.isolated', invocationId: null, data: { serverId, code: why.code, message: why.message, details: why.details ?? {} } });
    }
  }

  /** It is ready again: for other runs. */
  back(serverId: string): void {
    for (const [runId, run] of this.#using(serverId)) {
      const isolation = run.isolated.get(serverId);
      if (isolation === undefined || isolation.backSince !== null) continue;
      run.isolated.set(serverId, { ...isolation, backSince: this.#deps.now() });
      this.#deps.note(runId, { type: 'source.returned', invocationId: null, data: { serverId, isolated: true } });
    }
  }

  retried(serverId: string, retried: Retried): void {
    const { outcome: came, ...about } = retried;
    const outcome = came === 'ready' ? 'recovered' : 'failed';
    for (const [runId] of this.#using(serverId)) this.#deps.note(runId, { type: 'source.retry', invocationId: null, data: { serverId, ...about, outcome, ...(came === 'ready' ? {} : { failure: came }) } });
  }

  /** Why this run does not use this source; null when it may. */
  refusal(runId: string, serverId: string): Fault | null {
    const isolation = this.#runs.get(runId)?.isolated.get(serverId);
    if (isolation === undefined) return null;
    const { why, backSince } = isolation;
    const now = backSince === null ? '' : ' It is reachable again, but stays out of this run, so that nothing half done is taken up on another connection.';
    return fault('unavailable', `The source "${serverId}" failed in this run, which its recovery confirmed: ${why.message}${now}`, {
      remedy: 'Go on without it or with another source; a new run can use it once it is ready.',
      details: { serverId, code: why.code, isolated: true, confirmed: true, ...(backSince === null ? {} : { backSince }) },
    });
  }

  /** Reasons by server, for the funnel of a turn. */
  reasons(runId: string): ReadonlyMap<string, string> {
    return new Map([...(this.#runs.get(runId)?.isolated.values() ?? [])].map(({ serverId, why, backSince }) => [serverId, `${backSince === null ? 'isolated_in_run' : 'isolated_though_back'}: ${why.code}`]));
  }

  /** Isolations that the model of this run was not told of yet; they count as told now. */
  untold(runId: string): readonly Isolation[] {
    const run = this.#runs.get(runId);
    if (run === undefined) return [];
    const isolations = [...run.untold].flatMap((serverId) => run.isolated.get(serverId) ?? []);
    run.untold.clear();
    return isolations;
  }

  #run(runId: string): Run {
    let run = this.#runs.get(runId);
    if (run === undefined) this.#runs.set(runId, (run = { used: new Set(), isolated: new Map(), untold: new Set(), holds: 0 }));
    return run;
  }

  #using(serverId: string): [string, Run][] {
    return [...this.#runs].filter(([, run]) => run.used.has(serverId));
  }
}
