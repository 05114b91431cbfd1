import type { LanguageModelV3FinishReason } from '@ai-sdk/provider';
import { fault, type Fault } from '../../shared/fault.ts';
import type { Protocol } from '../capabilities/routes/route-of.ts';
import { hasCutCall, refuses } from './refusal-part.ts';

/** How a reply came to its end: by its model; cut by a limit or a failure of its provider; withheld by a filter, or refused by the model; paused, to be gone on with. */
export type ReplyEnd = 'ended' | 'cut' | 'withheld' | 'paused';

/** Words of providers beside those that the libraries know, of the chat protocol mostly. */
const WITHHELD = /^(?:content[_-]?filter(?:ed)?|refusal|safety|sensitive|prohibited_content|recitation|blocklist|spii|image_safety)$/i;
const CUT = /^(?:length|max_tokens|max_output_tokens|model_length|model_context_window_exceeded|insufficient_system_resource|network_error|error|abort|aborted)$/i;

/** OpenAI Responses gives a reason only for what is incomplete. */
export const endOf = ({ raw, unified }: LanguageModelV3FinishReason, protocol: Protocol, replyText: string): ReplyEnd => {
  if (refuses(protocol, replyText)) return 'withheld';
  if (unified === 'content-filter' || WITHHELD.test(raw ?? '')) return 'withheld';
  if (unified === 'length' || CUT.test(raw ?? '')) return 'cut';
  if (raw === 'pause_turn') return 'paused';
  return protocol === 'openai-responses' && (raw !== undefined || hasCutCall(protocol, replyText)) ? 'cut' : 'ended';
};

/** A call of a reply that its model did not end: however whole it looks, nobody knows what was to follow, or whether its arguments are all there. */
export const notMade = (end: Exclude<ReplyEnd, 'ended'>, reason: string): Fault =>
  fault('reply_cut', end === 'paused' ? 'The reply was paused by its provider before its end, so none of its calls was made.' : 'The reply was cut off before its end, so none of its calls was made.', {
    remedy: 'Call again what is still needed, with shorter arguments where they were long.',
    details: { reason: reason.slice(0, 200), mayHaveRun: false },
  });
