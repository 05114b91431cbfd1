import { fault, type Fault } from '../../../shared/fault.ts';
import type { Usage } from '../../../shared/model.ts';
import type { SamplingLimits } from '../../../shared/sampling-limits.ts';
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/database.ts';
import { insertSamplingUse, samplingOfRun, samplingSince, settleSamplingUse } from '../../store/sampling-uses.ts';
import type { ChosenModel } from '../choose-model.ts';
import { worstInputTokens, type Beside, type RunBudget } from '../run-budget.ts';

const DAY_MS = 86_400_000;

export interface SamplingBudgetDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: () => SamplingLimits;
  /** of the agent's run, while it goes on */
  readonly runBudget: (runId: string) => RunBudget | null;
}

/** What one request may take: reserved as a whole before it leaves, and put right when it was counted. */
export class SamplingBudget {
  readonly #deps: SamplingBudgetDeps;
  readonly #of: { readonly serverId: string; readonly runId: string | null };
  readonly #model: Pick<ChosenModel, 'prices' | 'limits'>;
  /** tokens that the model may write */
  readonly maxOutput: number;
  #reserved: { readonly id: number; readonly worst: number; readonly worstIn: number; readonly beside: Beside | null } | null = null;

  constructor(deps: SamplingBudgetDeps, of: { readonly serverId: string; readonly runId: string | null; readonly maxTokens: number }, model: Pick<ChosenModel, 'prices' | 'limits'>) {
    this.#deps = deps;
    this.#of = of;
    this.#model = model;
    this.maxOutput = Math.min(of.maxTokens, deps.limits().maxTokens, model.limits.maxOutputTokens ?? Number.POSITIVE_INFINITY);
  }

  /** Looks at a request as it would leave. Faults: sampling_limit, and of the agent's run token_limit and money_limit. */
  admit(requestText: string): Fault | null {
    const { store, clock, runBudget } = this.#deps;
    const { serverId, runId } = this.#of;
    const worstIn = worstInputTokens(requestText);
    const worst = worstIn + this.maxOutput;
    const own = runId === null ? null : runBudget(runId);
    const beside = own?.admitBeside(worstIn, this.maxOutput, this.#model.prices) ?? null;
    if (beside !== null && 'code' in beside) return beside;
    const taken = store.write((db): Fault | number => {
      const now = clock.now();
      const over = this.#over('day', samplingSince(db, serverId, now - DAY_MS), worst) ?? (runId === null ? null : this.#over('run', samplingOfRun(db, serverId, runId), worst));
      return over ?? insertSamplingUse(db, { serverId, runId, at: now, tokens: worst });
    });
    if (typeof taken !== 'number') {
      beside?.settle(null);
      return taken;
    }
    this.#reserved = { id: taken, worst, worstIn, beside };
    return null;
  }

  /** A reply came. What nobody counted may have been more than it looks. */
  charge(usage: Usage): void {
    const reserved = this.#reserved;
    if (reserved === null || usage.estimated) return this.chargeWorst();
    this.#settle(usage.inputTokens + usage.outputTokens);
    reserved.beside?.settle(usage);
  }

  /** It may have been worked on, and nobody counted it. */
  chargeWorst(): void {
    const reserved = this.#reserved;
    if (reserved === null) return;
    this.#reserved = null;
    reserved.beside?.settle('worst');
  }

  /** It was refused by its provider, or never reached it. */
  release(): void {
    const reserved = this.#reserved;
    this.#settle(0);
    reserved?.beside?.settle(null);
  }

  #settle(tokens: number): void {
    const { id } = this.#reserved ?? {};
    this.#reserved = null;
    if (id !== undefined) this.#deps.store.write((db) => settleSamplingUse(db, id, tokens));
  }

  #over(span: 'run' | 'day', used: { readonly requests: number; readonly tokens: number }, worst: number): Fault | null {
    const limits = this.#deps.limits();
    const where = span === 'run' ? 'in one run' : 'in 24 hours';
    const remedy = 'Decline, or raise the limit in Settings.';
    const mostRequests = limits[`${span}Requests`];
    if (used.requests + 1 > mostRequests) return fault('sampling_limit', `A server may ask your models ${mostRequests} times ${where}, and this one did.`, { remedy, details: { limit: `${span}Requests`, most: mostRequests, used: used.requests, worst: 1 } });
    const mostTokens = limits[`${span}Tokens`];
    if (used.tokens + worst <= mostTokens) return null;
    return fault('sampling_limit', `This request could take ${worst} tokens; of ${mostTokens} that a server may take ${where}, ${used.tokens} are used.`, { remedy, details: { limit: `${span}Tokens`, most: mostTokens, used: used.tokens, worst } });
  }
}
