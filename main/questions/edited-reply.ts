import { isDeepStrictEqual } from 'node:util';
import { fault, type Fault } from '../../shared/fault.ts';
import type { SamplingReply } from '../../shared/question.ts';
import { err, ok, type Result } from '../../shared/result.ts';

const LONGEST_TEXT = 1_000_000;
const unfit = (field: string, message: string): Result<never, Fault> => err(fault('invalid_input', message, { field, remedy: 'Change or leave out texts; leave other parts as the model wrote them, or leave them out.' }));

/** A reply as a person changed it: texts are theirs to write; other blocks are the model's own or left out, so that no use of a tool is made up. */
export const editedReplyOf = (reply: SamplingReply, edited: SamplingReply['content'] | undefined): Result<SamplingReply, Fault> => {
  if (edited === undefined) return ok(reply);
  if (edited.length === 0) return unfit('/editedReply/content', 'The reply is empty.');
  for (const [at, block] of edited.entries()) {
    const isText = block['type'] === 'text' && typeof block['text'] === 'string' && Object.keys(block).length === 2 && block['text'].length <= LONGEST_TEXT;
    if (!isText && !reply.content.some((own) => isDeepStrictEqual(own, block))) return unfit(`/editedReply/content/${at}`, 'This part is neither a text nor one that the model wrote.');
  }
  return ok({ ...reply, content: edited });
};
