import type { LanguageModelV3Message, LanguageModelV3ReasoningPart, LanguageModelV3ToolCall, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { NOTE_FIELD } from '../calls/note-field.ts';
import { tooDeep } from '../calls/result-shape.ts';
import { wellFormed } from '../evidence/well-formed.ts';
import type { ToldOutcome } from './outcome-text.ts';

/** One call of a turn under an id and a name that every provider takes back. */
export interface TurnCall {
  readonly id: string;
  /** as the model wrote it: the line judges this one */
  readonly name: string;
  /** as the history tells it */
  readonly shownName: string;
  readonly inputText: string;
}

/** Of calls of earlier questions, as a later request tells them (`earlierRun`): no model's own id has that form. */
const OF_EARLIER = /^q\d/;
const legalId = (id: string): boolean => /^[a-zA-Z0-9_-]{1,64}$/.test(id) && !OF_EARLIER.test(id);

/** A name in a form that every provider takes back. */
export const shownNameOf = (name: string): string => {
  if (name.trim() === '') return 'call_without_a_name';
  const shown = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
  return /^[a-zA-Z]/.test(shown) ? shown : `t_${shown}`.slice(0, 64);
};

/** Each call with an id of its own, also among those of earlier turns (`used`): some providers give none, or one twice, or the same ones in every turn, and refuse what they gave. */
export const callsOf = (parts: readonly LanguageModelV3ToolCall[], turn: number, used: ReadonlySet<string> = new Set()): TurnCall[] => {
  const own = new Set(parts.map(({ toolCallId }) => toolCallId));
  const taken = new Set(used);
  const made = (place: number): string => {
    const id = `call_${turn}_${place}`;
    for (let n = 1; ; n += 1) {
      const next = n === 1 ? id : `${id}_${n}`;
      if (!taken.has(next) && !own.has(next)) return next;
    }
  };
  return parts.map((part, i) => {
    const id = legalId(part.toolCallId) && !taken.has(part.toolCallId) ? part.toolCallId : made(i + 1);
    taken.add(id);
    const shownName = shownNameOf(part.toolName);
    return { id, name: part.toolName, shownName, inputText: part.input };
  });
};

/** Bytes of arguments that a later request repeats: of one call, of one turn, and of a call at the least. */
const MOST_REPEATED = { call: 65_536, turn: 262_144, least: 2_048 } as const;

const asObject = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    // no request can carry what is nested without end, and providers refuse half characters, with every later request of the run
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !tooDeep(value) ? (wellFormed(value).value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
};

/** In place of arguments: the host's own word, which no call may bring (`normalize`). */
const instead = (note: string, beginning: string): Readonly<Record<string, unknown>> => ({ [NOTE_FIELD]: `${note} This is no input: do not send it.`, beginning: beginning.toWellFormed() });

/** The provider's library wants an object; text that is none is told as such, and a long one by its beginning. The line has judged the raw text already. */
const argumentsForHistory = (text: string, mostBytes: number): Readonly<Record<string, unknown>> => {
  if (Buffer.byteLength(text) > mostBytes) return instead(`Gantry does not repeat arguments of ${text.length} characters; only their beginning stands here.`, text.slice(0, mostBytes / 4));
  return asObject(text) ?? instead('These arguments were no JSON object; their beginning stands here.', text.slice(0, 2_000));
};

/** The model's turn as the next request tells it: its sealed thoughts, its words, its calls. Nothing empty, which some providers refuse. */
export const assistantMessage = (text: string, calls: readonly TurnCall[], reasoning: readonly LanguageModelV3ReasoningPart[] = []): LanguageModelV3Message => {
  let left: number = MOST_REPEATED.turn;
  const told = calls.map((call) => {
    const most = Math.min(MOST_REPEATED.call, Math.max(MOST_REPEATED.least, left));
    left -= Math.min(most, Buffer.byteLength(call.inputText));
    return { type: 'tool-call' as const, toolCallId: call.id, toolName: call.shownName, input: argumentsForHistory(call.inputText, most) };
  });
  return { role: 'assistant', content: [...reasoning, ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...told] };
};

/** What a call came to, as the next request tells it. */
export interface CallResultMessage {
  readonly call: TurnCall;
  readonly told: Pick<ToldOutcome, 'text' | 'isError' | 'attached'>;
}

type Output = LanguageModelV3ToolResultPart['output'];

const outputOf = ({ text, isError, attached }: CallResultMessage['told']): Output => {
  // some providers refuse an empty text, and every later message with it
  const words = text.trim() === '' ? '(empty result)' : text;
  if (attached.length === 0) return { type: isError ? 'error-text' : 'text', value: words };
  const parts = attached.map(({ mediaType, data }) => (mediaType.startsWith('image/') ? { type: 'image-data' as const, mediaType, data } : { type: 'file-data' as const, mediaType, data }));
  return { type: 'content', value: [{ type: 'text', text: words }, ...parts] };
};

/** Exactly one result for each call, in one message. */
export const resultsMessage = (results: readonly CallResultMessage[]): LanguageModelV3Message => ({
  role: 'tool',
  content: results.map(({ call, told }) => ({ type: 'tool-result', toolCallId: call.id, toolName: call.shownName, output: outputOf(told) })),
});

/** base64 bytes that a history carries along. */
export const mediaBytes = (history: readonly LanguageModelV3Message[]): number => history.flatMap(mediaOf).reduce((sum, { data }) => sum + data.length, 0);

const mediaOf = (message: LanguageModelV3Message): { readonly data: string }[] => {
  if (message.role === 'user') return message.content.flatMap((part) => (part.type === 'file' ? [{ data: String(part.data) }] : []));
  if (message.role !== 'tool') return [];
  return message.content.flatMap((part) => (part.type === 'tool-result' && part.output.type === 'content' ? part.output.value.flatMap((one) => ('data' in one ? [{ data: String(one.data) }] : [])) : []));
};

/** The same with a word in place of every picture and file: for a provider that refused the request with them. */
export const withoutMedia = (history: readonly LanguageModelV3Message[]): LanguageModelV3Message[] =>
  history.map((message) => {
    if (message.role === 'user') return { ...message, content: message.content.map((part) => (part.type === 'file' ? { type: 'text' as const, text: `(the model's provider refused the attached file ${JSON.stringify(part.filename ?? '')}; it is not shown)` } : part)) };
    if (message.role !== 'tool') return message;
    return { ...message, content: message.content.map((part) => (part.type === 'tool-result' && part.output.type === 'content' ? { ...part, output: { type: 'text' as const, value: `${textOf(part.output.value)}\n(the model's provider refused the attached media; they are not shown)` } } : part)) };
  });

const textOf = (parts: Extract<Output, { type: 'content' }>['value']): string => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const LEFT_OUT = '(this result was left out to fit the model)';

/** The same with the oldest results left out until so many bytes are gone; those of the last turn stay. Null where that is not enough. */
export const resultsLeftOut = (history: readonly LanguageModelV3Message[], bytes: number): { readonly messages: readonly LanguageModelV3Message[]; readonly count: number } | null => {
  const lastTurn = history.findLastIndex((message) => message.role === 'tool');
  let left = bytes;
  let count = 0;
  const messages = history.map((message, i): LanguageModelV3Message => {
    if (message.role !== 'tool' || i === lastTurn || left <= 0) return message;
    return {
      ...message,
      content: message.content.map((part) => {
        if (part.type !== 'tool-result' || left <= 0) return part;
        left -= Math.max(0, Buffer.byteLength(JSON.stringify(part.output)) - LEFT_OUT.length - 32);
        count += 1;
        return { ...part, output: { type: 'text' as const, value: LEFT_OUT } };
      }),
    };
  });
  return left > 0 ? null : { messages, count };
};
