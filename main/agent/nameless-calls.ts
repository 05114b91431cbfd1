import { mendedLines, parsed } from './mended-lines.ts';

/** Stands for a name that is not there while a library reads the reply: libraries drop such a call, or the whole reply with it. No provider's request carries it. */
export const NAMELESS = 'gantry_nameless_call';

interface ToolCallPart {
  readonly index?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}
export const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';
const withName = (part: ToolCallPart, more: Readonly<Record<string, unknown>> = {}): ToolCallPart => ({ ...part, function: { arguments: '', ...part.function, name: NAMELESS, ...more } });
const partsOf = (of: unknown): readonly ToolCallPart[] => {
  const parts = (of as { tool_calls?: unknown } | null | undefined)?.tool_calls;
  return Array.isArray(parts) ? (parts.filter((part) => typeof part === 'object' && part !== null) as ToolCallPart[]) : [];
};

/** The calls of one streamed reply (OpenAI chat): one that has arguments, or comes to the end of the reply, without ever having had a name is given `NAMELESS`. */
class NamedCalls {
  readonly #named = new Set<unknown>();
  /** neither a name nor arguments yet: some providers send the name later */
  readonly #open = new Map<unknown, ToolCallPart>();

  /** A line of the stream; the same one where there is nothing to mend. */
  line(line: string): string {
    if (!line.startsWith('data:') || (!line.includes('"tool_calls"') && this.#open.size === 0)) return line;
    const event = parsed(line.slice(5));
    const choice = (event as { choices?: readonly unknown[] } | null)?.choices?.[0] as { delta?: Record<string, unknown>; finish_reason?: unknown } | undefined;
    if (choice === undefined) return line;
    const given = partsOf(choice.delta);
    const mended = given.map((part, place) => this.#mended(part, part.index ?? place));
    const atEnd = typeof choice.finish_reason === 'string' ? [...this.#open.values()].map((part) => withName(part)) : [];
    if (atEnd.length > 0) this.#open.clear();
    if (atEnd.length === 0 && mended.every((part, i) => part === given[i])) return line;
    choice.delta = { ...choice.delta, tool_calls: [...mended, ...atEnd] };
    return `data: ${JSON.stringify(event)}`;
  }

  #mended(part: ToolCallPart, index: unknown): ToolCallPart {
    if (this.#named.has(index)) return part;
    if (isBlank(part.function?.name) && isBlank(part.function?.arguments)) {
      if (!this.#open.has(index)) this.#open.set(index, part);
      return part.function?.name === undefined || part.function.name === null ? { ...part, function: { ...part.function, name: '' } } : part;
    }
    const before = this.#open.get(index);
    this.#open.delete(index);
    this.#named.add(index);
    return isBlank(part.function?.name) ? withName({ ...before, ...part }) : part;
  }
}

/** A streamed reply with a name in every call. */
export const withNamedCalls = (): TransformStream<Uint8Array, Uint8Array> => {
  const calls = new NamedCalls();
  return mendedLines((line) => calls.line(line));
};

/** A whole reply with a name in every call. */
export const wholeWithNamedCalls = (replyText: string): string => {
  if (!replyText.includes('"tool_calls"')) return replyText;
  const reply = parsed(replyText);
  const message = (reply as { choices?: readonly unknown[] } | null)?.choices?.[0] as { message?: Record<string, unknown> } | undefined;
  const given = partsOf(message?.message);
  if (message?.message === undefined || !given.some((part) => isBlank(part.function?.name))) return replyText;
  message.message = { ...message.message, tool_calls: given.map((part) => (isBlank(part.function?.name) ? withName(part) : part)) };
  return JSON.stringify(reply);
};
