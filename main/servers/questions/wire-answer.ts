import type { SamplingReply } from '../../../shared/question.ts';
import type { AskedContent, Decision } from './question-port.ts';

/** Error of a sampling that its person did not agree to (client/sampling, 2025-11-25). */
export const REJECTED = { code: -1, message: 'The user did not agree to this request.' } as const;

/** One block where one came, as revisions before 2025-11-25 have it; a list only where there are several. */
const samplingResult = ({ content, ...reply }: SamplingReply): Readonly<Record<string, unknown>> => ({ ...reply, content: content.length === 1 ? content[0] : content });

/** A decision as the server gets it; null where there is no result for it: a sampling that nobody agreed to. */
export const wireAnswer = (content: AskedContent, decision: Decision): Readonly<Record<string, unknown>> | null => {
  if (content.kind === 'sampling') return decision.action === 'accept' && decision.reply !== undefined ? samplingResult(decision.reply) : null;
  if (decision.action !== 'accept') return { action: decision.action };
  return content.kind === 'form' ? { action: 'accept', content: { ...decision.content } } : { action: 'accept' };
};
