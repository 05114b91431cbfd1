import type { LanguageModelV3Message, LanguageModelV3ToolCall } from '@ai-sdk/provider';

/** One call of a turn under an id and a name that every provider takes back. */
export interface TurnCall {
  readonly id: string;
  /** as the model wrote it: the line judges this one */
  readonly name: string;
  /** as the history tells it */
  readonly shownName: string;
  readonly inputText: string;
}

const legalId = (id: string): boolean => /^[a-zA-Z0-9_-]{1,64}$/.test(id);

/** Each call with an id of its own: some providers give none, or one twice. */
export const callsOf = (parts: readonly LanguageModelV3ToolCall[], turn: number): TurnCall[] => {
  const taken = new Set<string>();
  return parts.map((part, i) => {
    const id = legalId(part.toolCallId) && !taken.has(part.toolCallId) ? part.toolCallId : `call_${turn}_${i + 1}`;
    taken.add(id);
    const shownName = part.toolName.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
    return { id, name: part.toolName, shownName: /^[a-zA-Z]/.test(shownName) ? shownName : `t_${shownName}`.slice(0, 64), inputText: part.input };
  });
};

/** The provider's library wants an object; text that is none is told as such. The line has judged the raw text already. */
const argumentsForHistory = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  } catch {
    // told as text below
  }
  return { not_an_object: text.slice(0, 2_000).toWellFormed() };
};

/** The model's turn as the next request tells it: its words, its calls. Nothing empty, which some providers refuse. */
export const assistantMessage = (text: string, calls: readonly TurnCall[]): LanguageModelV3Message => ({
  role: 'assistant',
  content: [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...calls.map((call) => ({ type: 'tool-call' as const, toolCallId: call.id, toolName: call.shownName, input: argumentsForHistory(call.inputText) }))],
});

/** Exactly one result for each call, in one message. */
export const resultsMessage = (results: readonly { readonly call: TurnCall; readonly text: string }[]): LanguageModelV3Message => ({
  role: 'tool',
  content: results.map(({ call, text }) => ({ type: 'tool-result', toolCallId: call.id, toolName: call.shownName, output: { type: 'text', value: text === '' ? '(empty)' : text } })),
});
