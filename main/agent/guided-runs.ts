import { fault, type Fault } from '../../shared/fault.ts';
import { USER, type Via } from '../../shared/principal.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Bus } from '../bus.ts';
import type { Outcome } from '../calls/call-outcome.ts';
import type { CallLine } from '../calls/run-call.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/database.ts';
import { openInvocations } from '../store/invocations.ts';
import { getRun, openRuns } from '../store/runs.ts';

/** After the last call, a run that nobody ended ends. */
const IDLE_MS = 30 * 60_000;

export interface GuidedRunsDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly line: Pick<CallLine, 'beginRun' | 'endRun' | 'note' | 'tryCall'>;
  readonly log: Pick<Log, 'error'>;
}
interface Open {
  /** calls under way, those that wait for a person with them */
  readonly calls: Set<string>;
  timer: NodeJS.Timeout;
}

/** Runs of a person who chooses tool after tool for one request: open from the first call until the person ends them. */
export class GuidedRuns {
  readonly #deps: GuidedRunsDeps;
  readonly #open = new Map<string, Open>();
  readonly #stopListening: () => void;

  /** Takes up those that a restart left waiting for a person. */
  constructor(deps: GuidedRunsDeps) {
    this.#deps = deps;
    const waiting = Map.groupBy(deps.store.read(openInvocations), ({ runId }) => runId);
    for (const run of deps.store.read(openRuns)) if (run.kind === 'guided') this.#hold(run.id, (waiting.get(run.id) ?? []).map(({ id }) => id));
    this.#stopListening = deps.bus.on('invocation:changed', ({ invocation: { id, runId, endedAt } }) => {
      const open = this.#open.get(runId);
      if (!open) return;
      if (endedAt === null) open.calls.add(id);
      else open.calls.delete(id);
      open.timer.refresh();
    });
  }

  begin(request: string, via: Via): string {
    const run = this.#deps.line.beginRun({ kind: 'guided', title: request, principal: USER, via });
    this.#hold(run.id);
    return run.id;
  }

  /** Answers at once. Errors: not_found, conflict, and those of the line. */
  async call({ runId, capabilityId, inputText, rank }: { readonly runId: string; readonly capabilityId: string; readonly inputText: string; readonly rank?: number | undefined }, via: Via): Promise<Result<Outcome, Fault>> {
    const open = this.#open.get(runId);
    if (!open) return err(this.#absent(runId));
    open.timer.refresh();
    if (rank !== undefined) this.#deps.line.note(runId, [{ type: 'plan.ranked', invocationId: null, data: { capabilityId, rank } }]);
    return this.#deps.line.tryCall({ capabilityId, inputText, principal: USER, via, run: { id: runId }, wait: false });
  }

  /** Errors: not_found, conflict. */
  end(runId: string): Result<null, Fault> {
    const open = this.#open.get(runId);
    if (!open) return this.#deps.store.read((db) => getRun(db, runId))?.kind === 'guided' ? ok(null) : err(fault('not_found', 'There is no such guided run.'));
    if (open.calls.size > 0) return err(fault('conflict', 'A call of this run is still under way.', { remedy: 'Stop the call, or let it end.', details: { state: 'running' } }));
    this.#endNow(runId, open);
    return ok(null);
  }

  /** What waits for a person stays open in the store. */
  close(): void {
    this.#stopListening();
    for (const [runId, open] of this.#open) {
      if (open.calls.size === 0) this.#endByItself(runId, open);
      else clearTimeout(open.timer);
    }
  }

  #hold(runId: string, calls: readonly string[] = []): void {
    const open: Open = { calls: new Set(calls), timer: setTimeout(() => (open.calls.size > 0 ? open.timer.refresh() : this.#endByItself(runId, open)), IDLE_MS).unref() };
    this.#open.set(runId, open);
  }

  #endNow(runId: string, open: Open): void {
    clearTimeout(open.timer);
    this.#open.delete(runId);
    this.#deps.line.endRun(runId, { state: 'completed', code: null });
  }

  /** Nobody asked for it, so nobody else hears where the store refuses. */
  #endByItself(runId: string, open: Open): void {
    try {
      this.#endNow(runId, open);
    } catch (error) {
      this.#deps.log.error('the end of a guided run could not be written; the next start ends it', { runId, error: String(error) });
    }
  }

  #absent(runId: string): Fault {
    const run = this.#deps.store.read((db) => getRun(db, runId));
    return run?.kind === 'guided' ? fault('conflict', 'This run has ended.', { field: '/runId', remedy: 'Begin another one.', details: { state: run.state } }) : fault('not_found', 'There is no such guided run.', { field: '/runId' });
  }
}
