import type { QuestionField, SamplingReply, SamplingRequest } from '../../../shared/question.ts';

/** The call that a question belongs to. */
export interface CallMark {
  readonly invocationId: string;
  readonly runId: string;
  readonly capabilityId: string;
}

/** What a server asks of a person, judged and bounded; its words are its own. */
export type AskedContent =
  | { readonly kind: 'form'; readonly message: string; readonly form: { readonly requestedSchema: Readonly<Record<string, unknown>>; readonly fields: readonly QuestionField[] } }
  | { readonly kind: 'url'; readonly message: string; readonly url: { readonly url: string; readonly host: string; readonly elicitationId: string | null; /** the answer is that what happens there is done, not that it is opened */ readonly thenContinue: boolean } }
  | { readonly kind: 'sampling'; readonly message: string; readonly sampling: SamplingRequest & { readonly includeContext?: 'none' | 'thisServer' | 'allServers' | undefined } };

/** To whom a question belongs: its call, or its server alone, where several of its calls are under way and it did not say which. */
export interface AskedOf {
  readonly serverId: string;
  readonly call: CallMark | null;
  /** all of the server's calls that are under way */
  readonly inFlight: readonly CallMark[];
  readonly round: number;
}

export interface Asked extends AskedOf {
  readonly content: AskedContent;
  /** aborted when nobody waits for the answer any more; its reason is a QuestionVoidReason */
  readonly signal: AbortSignal;
}

/** What came of it. `content`: as the person gave it, by field name. Nobody but a person accepts or declines; what ends otherwise is cancelled. */
export type Decision =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, unknown>> | undefined; readonly reply?: SamplingReply | undefined }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A fact about questions, for the record of the runs that they belong to. */
export interface QuestionNote {
  readonly type: 'question.refused' | 'question.roots' | 'question.completed' | 'question.round' | 'question.input_required';
  readonly data: Readonly<Record<string, unknown>>;
}

/** Who asks the person, and keeps the record. Both never throw; `ask` never rejects. */
export interface QuestionPort {
  ask(asked: Asked): Promise<Decision>;
  /** False: it could not be written. `durable`: it has to survive a power loss before what follows it. */
  note(of: AskedOf, note: QuestionNote, durable?: boolean): boolean;
  /** The server says that what a URL led to is done. */
  completed(serverId: string, elicitationId: string): void;
  /** Sampling can be asked for: a model can be chosen. */
  readonly offersSampling: boolean;
}
