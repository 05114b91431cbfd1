import type { Fault } from '../../shared/fault.ts';
import type { HostResult } from '../../shared/host-result.ts';
import { BUILT_IN_AGENT, USER } from '../../shared/principal.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Bus } from '../bus.ts';
import type { Clock } from '../clock.ts';
import { PrivacyFilter } from '../evidence/privacy-filter.ts';
import { Recorder } from '../evidence/recorder.ts';
import type { Log } from '../log.ts';
import { RuleBook } from '../policy/rule-book.ts';
import type { FormCache } from '../secrets/form-cache.ts';
import type { KnownSecret } from '../secrets/mask.ts';
import type { Store } from '../store/database.ts';
import { isWaiting, type InvocationRow } from '../store/invocations.ts';
import { Waiters } from './call-outcome.ts';
import type { DispatchDeps, ToolPort } from './dispatch.ts';
import { Ledger } from './ledger.ts';
import type { FrozenCall, ValidatorPort } from './normalize.ts';
import type { CandidatePort, PlannedCall } from './plan.ts';
import { contextBytesFor } from './result-budget.ts';
import type { ValidateDeps } from './validate.ts';

/** What the host gives to the call line. */
export interface CallLineDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly registry: CandidatePort;
  readonly pool: ToolPort;
  /** null while what was read of this capability's server stands; else the reading that a call has to wait for, with why it may not go on (source_not_fresh) or null */
  readonly freshen: (capabilityId: string) => Promise<Fault | null> | null;
  /** keeps its array while no secret changes */
  readonly secrets: { knownValues(): readonly KnownSecret[]; readonly forms?: FormCache };
  /** SchemaChecker.compile over the candidate's input or output schema */
  readonly validator: ValidatorPort;
  /** name and version that a server gave itself, for the source of a result */
  readonly sourceOf?: (serverId: string) => { readonly serverName: string; readonly serverVersion: string };
  readonly settings: () => Settings;
  readonly log: Log;
  /** between two questions about a task: resolves early where the signal is raised; absent: as long as it says */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** an observer of the line's points; crash tests end the process there */
  readonly onPoint?: NonNullable<DispatchDeps['onPoint']>;
}

/** The parts of the line that its files share, made once. */
export class CallParts {
  readonly deps: CallLineDeps;
  readonly filter: PrivacyFilter;
  readonly rules: RuleBook;
  readonly ledger: Ledger;
  readonly waiters = new Waiters();

  constructor(deps: CallLineDeps) {
    const { store, bus, clock } = deps;
    this.deps = deps;
    this.filter = new PrivacyFilter(() => deps.secrets.knownValues(), deps.secrets.forms);
    this.rules = new RuleBook(store);
    this.ledger = new Ledger({ recorder: new Recorder({ store, bus, clock, filter: this.filter }), bus, clock, filter: this.filter, waits: (runId, besides) => store.read((db) => isWaiting(db, runId, besides)) });
  }

  /** `wanted`: what a caller wants of the answer; it narrows what a model is told. */
  validateDeps({ principal, runId }: { readonly principal: string; readonly runId: string }, wanted: HostResult | null = null, askedUri: string | null = null): ValidateDeps {
    // what a person attaches to a run of the agent is read by the person, and told to a model
    const isForModel = principal !== USER || this.ledger.run(runId)?.kind === 'agent';
    const contextBytes = isForModel ? contextBytesFor(BUILT_IN_AGENT) : contextBytesFor(USER);
    return {
      filter: this.filter,
      secrets: () => this.deps.secrets.knownValues(),
      validator: this.deps.validator,
      sourceOf: this.deps.sourceOf ?? ((serverId) => ({ serverName: serverId, serverVersion: '' })),
      contextBytes,
      askedUri,
      model: !isForModel ? null : { textBytes: Math.min(contextBytes, wanted?.byteBudget ?? contextBytes), ...(wanted?.select === undefined ? {} : { select: wanted.select }) },
    };
  }

  /** A row as far as planning knows it. */
  rowOf(blank: InvocationRow, planned: PlannedCall): InvocationRow {
    const { candidate } = planned;
    return { ...blank, tier: candidate.tier, stage: 'normalize', bindingFingerprint: candidate.bindingFingerprint, definitionFingerprint: candidate.definitionFingerprint };
  }

  frozenRow(blank: InvocationRow, frozen: FrozenCall): InvocationRow {
    return { ...this.rowOf(blank, frozen.planned), stage: 'policy', frozenInput: frozen.frozenInput, inputHash: frozen.inputHash };
  }
}
