import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { z } from 'zod';
import type { EvidenceEvent } from '../../shared/run.ts';
import type { LabelledResult } from './citations.ts';
import { assistantMessage, resultsMessage, shownNameOf, type CallResultMessage, type TurnCall } from './history.ts';

/** A question of a conversation that is over, as a later request tells it. */
export interface EarlierRun {
  readonly runId: string;
  readonly messages: readonly LanguageModelV3Message[];
  /** question and last words alone */
  readonly brief: readonly LanguageModelV3Message[];
  readonly results: readonly LabelledResult[];
  /** a result that `messages` hold is shortened; the whole is stored */
  readonly hasStored: boolean;
  /** tool results that `messages` hold */
  readonly resultCount: number;
}

/** The earlier questions of a conversation. */
export interface EarlierQuestions {
  /** oldest first; the oldest of them may be there by question and last words alone */
  readonly runs: readonly EarlierRun[];
  /** older ones, which no request could carry */
  readonly unread: number;
  /** what those that were not read whole may still be cited by */
  readonly results: readonly LabelledResult[];
}
export const NO_QUESTIONS: EarlierQuestions = { runs: [], unread: 0, results: [] };

/** What is told of a call of which a model heard nothing: the run was stopped, or Gantry ended. */
export interface Untold {
  readonly text: string;
  readonly isError: boolean;
  /** more of it is stored */
  readonly isShortened: boolean;
}
export type FoundResult = (invocationId: string | null) => Untold;

/** Events that a rebuilt history is made of. */
export const BRIEF_TYPES = ['run.prompt', 'turn.reply', 'run.answer', 'run.ended'] as const;
export const HISTORY_TYPES = ['run.prompt', 'turn.reply', 'call.planned', 'call.refused', 'call.told', 'attachment.given', 'run.answer', 'run.ended'] as const;

const Prompt = z.object({ prompt: z.string(), goesOn: z.object({ told: z.string() }).optional(), attachments: z.array(z.object({ told: z.string() })).default([]) });
const Reply = z.object({ turn: z.number(), text: z.string(), partial: z.boolean().default(false), calls: z.array(z.object({ id: z.string(), name: z.string(), argumentsText: z.string() })) });
const Shown = z.object({ shown: z.object({ turn: z.number(), callId: z.string() }) });
const ToldData = z.object({ turn: z.number(), callId: z.string().optional(), text: z.string(), isError: z.boolean(), shortened: z.boolean().default(false), label: z.string().optional(), grounded: z.boolean().default(false), media: z.array(z.object({ attached: z.boolean() })).default([]) });
const Ended = z.object({ code: z.string().nullable() });

const userMessage = (text: string): LanguageModelV3Message => ({ role: 'user', content: [{ type: 'text', text: text.toWellFormed() || '(empty)' }] });
const said = (text: string): LanguageModelV3Message => ({ role: 'assistant', content: [{ type: 'text', text: text.toWellFormed() }] });
const place = (turn: number, callId: string): string => `${turn} ${callId}`;
const MEDIA_GONE = '\n(the attached media are not shown again)';

/**
 * An earlier question from its evidence: what was sent and what came back, word for word, each call with exactly one result. Calls that have none are given what the
 * record says became of them; results of calls that no reply holds are left out, and so is a call whose reply broke off. `n`: the question's place, from 1.
 */
export const earlierRun = (n: number, runId: string, events: readonly EvidenceEvent[], found: FoundResult): EarlierRun => {
  const parsed = <T>(type: string, schema: z.ZodType<T>): readonly { readonly data: T; readonly invocationId: string | null }[] =>
    events.flatMap((event) => {
      const read = event.type === type ? schema.safeParse(event.data) : null;
      return read?.success ? [{ data: read.data, invocationId: event.invocationId }] : [];
    });
  const told = parsed('call.told', ToldData);
  const toldAt = new Map(told.flatMap((one) => (one.data.callId === undefined ? [] : [[place(one.data.turn, one.data.callId), one] as const])));
  const given = new Set(parsed('attachment.given', z.object({})).map(({ invocationId }) => invocationId));
  const givenTexts = told.flatMap(({ data, invocationId }) => (data.callId === undefined && given.has(invocationId) ? [data.text] : []));
  const invocationAt = new Map([...parsed('call.planned', Shown), ...parsed('call.refused', Shown)].map(({ data, invocationId }) => [place(data.shown.turn, data.shown.callId), invocationId]));
  const prompt = parsed('run.prompt', Prompt)[0]?.data;
  const question = userMessage([prompt?.prompt ?? '', ...(prompt?.goesOn === undefined ? [] : [prompt.goesOn.told]), ...(prompt?.attachments ?? []).map((one) => one.told), ...givenTexts].join('\n\n'));
  const messages: LanguageModelV3Message[] = [question];
  let last = '';
  let resultCount = 0;
  let hasStored = told.some(({ data, invocationId }) => data.shortened && data.callId === undefined && given.has(invocationId));
  for (const { data: reply } of parsed('turn.reply', Reply)) {
    if (reply.calls.length === 0) {
      last = reply.partial && reply.text.trim() !== '' ? `${reply.text}\n(stopped here)` : reply.text;
      continue;
    }
    // ids of another run may stand in the same request
    const results = reply.calls.map((one, i): CallResultMessage => {
      const call: TurnCall = { id: `q${n}_${reply.turn}_${i + 1}`, name: one.name, shownName: shownNameOf(one.name), inputText: one.argumentsText };
      const at = place(reply.turn, one.id);
      const own = toldAt.get(at)?.data;
      const late = own === undefined ? found(invocationAt.get(at) ?? null) : null;
      hasStored ||= own?.shortened ?? late?.isShortened ?? false;
      const result = own === undefined ? { text: late!.text, isError: late!.isError } : { text: own.media.some(({ attached }) => attached) ? `${own.text}${MEDIA_GONE}` : own.text, isError: own.isError };
      return { call, told: { ...result, attached: [] } };
    });
    resultCount += results.length;
    messages.push(assistantMessage(reply.text, results.map(({ call }) => call)), resultsMessage(results));
  }
  const code = parsed('run.ended', Ended)[0]?.data.code ?? null;
  const answer = said(last.trim() === '' ? `(no answer was given: ${code ?? 'the run did not come to its end'})` : last);
  return {
    runId, messages: [...messages, answer], brief: [question, answer], hasStored, resultCount,
    results: told.flatMap(({ data, invocationId }) => (data.label === undefined || invocationId === null ? [] : [{ label: data.label, invocationId, grounded: data.grounded }])),
  };
};
