import type { Fault } from '../../shared/fault.ts';
import type { SamplingModelChoice, SamplingReply, SamplingRequest } from '../../shared/question.ts';
import type { Result } from '../../shared/result.ts';

/**
 * The models that may answer a server's sampling. A person has agreed to each request and chosen the model before it is asked, and sees the reply before the server does.
 * What the server wrote is untrusted input of the model and nothing else of Gantry's: no tool, key or context of the host goes along.
 */
export interface SamplingModel {
  models(): readonly SamplingModelChoice[];
  /** `onDelta`: the text so far. Aborted: the answer is not wanted any more. */
  ask(request: SamplingRequest, options: { readonly modelId: string; readonly signal: AbortSignal; readonly onDelta?: (text: string) => void }): Promise<Result<SamplingReply, Fault>>;
}
