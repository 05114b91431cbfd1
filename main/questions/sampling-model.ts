import type { Fault } from '../../shared/fault.ts';
import type { SamplingModelChoice, SamplingReply, SamplingRequest } from '../../shared/question.ts';
import type { Result } from '../../shared/result.ts';
import type { NewEvent } from '../evidence/recorder.ts';

/** One request of a server that its person agreed to. `runId`: of its call; null where that is not clear. */
export interface SamplingAsk {
  readonly serverId: string;
  readonly runId: string | null;
  readonly questionId: string;
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** puts it on the record of its call; false: it could not be written, and then nothing may leave */
  readonly record: (event: Pick<NewEvent, 'type' | 'data'>) => boolean;
  /** the text so far */
  readonly onDelta?: (text: string) => void;
}

/**
 * The models that may answer a server's sampling. A person has agreed to each request and chosen the model before it is asked, and sees the reply before the server does.
 * What the server wrote is untrusted input of the model and nothing else of Gantry's: no tool, key or context of the host goes along.
 */
export interface SamplingModel {
  models(): readonly SamplingModelChoice[];
  /** Aborted: the answer is not wanted any more. Errors: sampling_limit, sampling_unfit, money_limit, token_limit, store_write_failed, those of the model. */
  ask(request: SamplingRequest, of: SamplingAsk): Promise<Result<SamplingReply, Fault>>;
}
