import type { Protocol } from '../capabilities/routes/route-of.ts';
import type { ReplyMends } from './exchange-capture.ts';
import { withWholeBlocks, wholeWithWholeBlocks } from './nameless-blocks.ts';
import { wholeWithNamedCalls, withNamedCalls } from './nameless-calls.ts';
import { withWholeItems, wholeWithWholeItems } from './nameless-items.ts';

/** What a model leaves out of a call is put in before its library reads the reply: libraries drop such a call, or the whole reply with it. */
export const MENDS: Readonly<Record<Protocol, ReplyMends>> = {
  'openai-chat': { stream: withNamedCalls, whole: wholeWithNamedCalls },
  'openai-responses': { stream: withWholeItems, whole: wholeWithWholeItems },
  'anthropic-messages': { stream: withWholeBlocks, whole: wholeWithWholeBlocks },
};
