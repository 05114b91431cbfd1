import type { CallResult } from '../../shared/call.ts';
import type { Fault } from '../../shared/fault.ts';
import { mayHaveEffects } from '../../shared/tier.ts';
import type { Candidate } from '../capabilities/candidate.ts';
import type { PrivacyFilter } from '../evidence/privacy-filter.ts';
import type { KnownSecret } from '../secrets/mask.ts';
import type { WireOutcome } from '../servers/wire-outcome.ts';
import { HOST } from './host-tools/host-tools.ts';
import { askHeld } from './judge-held.ts';
import type { ModelBudget } from './result-fit.ts';
import { closedAs, judgeResult, rpcWords } from './judge-result.ts';
import type { JudgeAbout, ValidatedCall } from './judge-result.ts';
import type { ValidatorPort } from './normalize.ts';
import { classOfFailure, classOfRpcError } from './wire-failure.ts';
import type { FailedOutcome } from './wire-failure.ts';

export interface ValidateDeps {
  readonly filter: PrivacyFilter;
  /** what `filter` masks, for the worker */
  readonly secrets: () => readonly KnownSecret[];
  readonly validator: ValidatorPort;
  sourceOf(serverId: string): { readonly serverName: string; readonly serverVersion: string };
  /** text bytes that go into this principal's context at once; more is class `stored` */
  readonly contextBytes: number;
  /** what a model that asked is told of it at most; null where none did */
  readonly model: ModelBudget | null;
  /** of a resource; null for tools and prompts */
  readonly askedUri: string | null;
}

const failedAs = (failure: FailedOutcome, filter: PrivacyFilter): ValidatedCall => closedAs(failure.class, filter.value(withRedactedWords(failure.fault, filter)).value as Fault, null);

/** The words of a JSON-RPC error are redacted when it is classed; those of an HTTP answer here. */
const withRedactedWords = (given: Fault, filter: PrivacyFilter): Fault =>
  typeof given.details?.['serverWords'] === 'string' ? { ...given, details: { ...given.details, serverWords: rpcWords(given.details['serverWords'], filter) } } : given;

const aboutOf = (candidate: Candidate, deps: ValidateDeps): JudgeAbout => {
  const { serverId, id, kind } = candidate.capability;
  const source: CallResult['source'] = { serverId, capabilityId: id, ...deps.sourceOf(serverId) };
  const declaresOutput = candidate.outputSchema !== undefined && candidate.outputSchema !== null;
  return { effects: mayHaveEffects(candidate.tier), kind, askedUri: deps.askedUri, contextBytes: deps.contextBytes, model: deps.model && serverId === HOST ? { ...deps.model, rawText: true } : deps.model, declaresOutput, source };
};

/** A JSON-RPC error says more in `data` than in its message where its server is careful. */
const errorText = ({ message, data }: Extract<WireOutcome, { kind: 'rpc_error' }>): string =>
  data === undefined || data === null ? message : `${message}\n${typeof data === 'string' ? data : JSON.stringify(data)}`;

/** An answer that lies in the host's memory. */
export type OpenWire = Exclude<WireOutcome, { kind: 'held' }>;

/** Protocol shape, declared output schema, bytes, privacy filter: what came back becomes one class, never a guess. */
export const validate = (wire: OpenWire, candidate: Candidate, deps: ValidateDeps): ValidatedCall => {
  const effects = mayHaveEffects(candidate.tier);
  switch (wire.kind) {
    case 'failed':
      return failedAs(classOfFailure(wire, effects), deps.filter);
    case 'rpc_error':
      return failedAs(classOfRpcError(wire.rpcCode, rpcWords(errorText(wire), deps.filter), effects, candidate.capability.kind), deps.filter);
    case 'result':
      return judgeResult(wire, aboutOf(candidate, deps), {
        filter: deps.filter,
        judgeOutput: (value) => {
          const judge = deps.validator(candidate, 'output');
          return judge.ok ? judge.value(value) : null;
        },
      });
  }
};

/** The same for a result that a worker holds, judged there by the same code. What the worker cannot do ends this call alone. */
export const validateHeld = async (wire: Extract<WireOutcome, { kind: 'held' }>, candidate: Candidate, deps: ValidateDeps, signal: AbortSignal): Promise<ValidatedCall> => {
  const answer = await askHeld(wire, { about: aboutOf(candidate, deps), outputSchema: candidate.outputSchema, fingerprint: candidate.definitionFingerprint, secrets: deps.secrets() }, signal);
  return answer.ok ? answer.value : failedAs(classOfFailure({ kind: 'failed', fault: answer.error, sent: true, mayHaveRun: true }, mayHaveEffects(candidate.tier)), deps.filter);
};
