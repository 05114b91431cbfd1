import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3TextPart, LanguageModelV3ToolCallPart, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { fault, type Fault } from '../../../shared/fault.ts';
import { isObject } from '../../../shared/is-object.ts';
import type { SamplingMessage, SamplingRequest } from '../../../shared/question.ts';
import type { RouteId } from '../../../shared/rendering.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { ROUTES } from '../../capabilities/routes/profiles.ts';
import { protocolOf } from '../../capabilities/routes/route-of.ts';
import type { BroughtTools } from './sampling-tools.ts';

type Block = SamplingMessage['content'][number];
type Output = LanguageModelV3ToolResultPart['output'];
type OutputPart = Extract<Output, { type: 'content' }>['value'][number];

const PICTURES: ReadonlySet<unknown> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** The chat protocol names these two forms; the other protocol carries no sound. */
const SOUNDS: ReadonlySet<unknown> = new Set(['audio/wav', 'audio/mp3', 'audio/mpeg']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const unfit = (field: string, message: string, why: 'media' | 'tool_use' = 'media'): Result<never, Fault> => err(fault('sampling_unfit', message, { field, remedy: 'Choose another model, or decline.', details: { why } }));
const textOf = (block: Block): string => String(block['text']).toWellFormed();

/** The first error, or all values. */
const each = <T, U>(values: readonly T[], make: (value: T, index: number) => Result<U, Fault>): Result<readonly U[], Fault> => {
  const made: U[] = [];
  for (const [i, value] of values.entries()) {
    const one = make(value, i);
    if (!one.ok) return one;
    made.push(one.value);
  }
  return ok(made);
};

/** What a server wants a model to read, as the messages of one request to it: its words alone, none of Gantry's and of no other server. */
export class SamplingPrompt {
  readonly #provider: string;
  readonly #routeId: RouteId;
  readonly #tools: BroughtTools;
  /** shown names and ids of the uses so far, by the server's id of each */
  readonly #uses = new Map<string, { readonly id: string; readonly name: string }>();

  constructor({ provider, routeId }: { readonly provider: string; readonly routeId: RouteId }, tools: BroughtTools) {
    this.#provider = provider;
    this.#routeId = routeId;
    this.#tools = tools;
  }

  /** Error: sampling_unfit with the first part that this model does not take. */
  of({ systemPrompt, messages }: Pick<SamplingRequest, 'systemPrompt' | 'messages'>): Result<readonly LanguageModelV3Message[], Fault> {
    const read = each(messages, (message, i) => this.#message(message, `/messages/${i}`));
    return read.ok ? ok([...(systemPrompt === undefined || systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt.toWellFormed() }]), ...read.value]) : read;
  }

  #message({ role, content }: SamplingMessage, at: string): Result<LanguageModelV3Message, Fault> {
    if (role === 'assistant') {
      const parts = each(content, (block, i) => this.#said(block, `${at}/content/${i}`));
      return parts.ok ? ok({ role, content: [...parts.value] }) : parts;
    }
    if (content[0]?.['type'] === 'tool_result') {
      const parts = each(content, (block, i) => this.#result(block, `${at}/content/${i}`));
      return parts.ok ? ok({ role: 'tool', content: [...parts.value] }) : parts;
    }
    const parts = each(content, (block, i) => this.#given(block, `${at}/content/${i}`));
    return parts.ok ? ok({ role, content: [...parts.value] }) : parts;
  }

  #given(block: Block, at: string): Result<LanguageModelV3TextPart | LanguageModelV3FilePart, Fault> {
    if (block['type'] === 'text') return ok({ type: 'text', text: textOf(block) });
    const mediaType = String(block['mimeType']);
    const data = String(block['data']);
    const takes = PICTURES.has(mediaType) || (SOUNDS.has(mediaType) && protocolOf(this.#provider) === 'openai-chat');
    if (!takes) return unfit(at, `The protocol of this model carries no ${mediaType.slice(0, 80)}.`);
    return BASE64.test(data) ? ok({ type: 'file', mediaType, data }) : unfit(at, 'This medium is not base64.');
  }

  #said(block: Block, at: string): Result<LanguageModelV3TextPart | LanguageModelV3ToolCallPart, Fault> {
    if (block['type'] === 'text') return ok({ type: 'text', text: textOf(block) });
    if (block['type'] !== 'tool_use') return unfit(at, 'A model is given back its own words and tool uses alone, no pictures or sound.');
    const own = String(block['id']);
    const use = { id: /^[a-zA-Z0-9_-]{1,64}$/.test(own) ? own : `call_${this.#uses.size + 1}`, name: this.#tools.nameOf(String(block['name'])) };
    this.#uses.set(own, use);
    return ok({ type: 'tool-call', toolCallId: use.id, toolName: use.name, input: block['input'] });
  }

  #result(block: Block, at: string): Result<LanguageModelV3ToolResultPart, Fault> {
    const use = this.#uses.get(String(block['toolUseId']));
    if (use === undefined) return unfit(at, 'This is the result of no tool use before it.', 'tool_use');
    const isError = block['isError'] === true;
    const { media, mediaWithErrors } = ROUTES[this.#routeId].toolResults;
    const parts = each(block['content'] as readonly unknown[], (part, i): Result<OutputPart, Fault> => {
      const text = resultText(part);
      if (text !== null) return ok({ type: 'text', text });
      const mediaType = isObject(part) ? String(part['mimeType']) : '';
      const data = isObject(part) ? String(part['data']) : '';
      if (!media.has(mediaType) || !BASE64.test(data) || (isError && !mediaWithErrors)) return unfit(`${at}/content/${i}`, 'This model takes text only in the result of a tool.');
      return ok(mediaType.startsWith('image/') ? { type: 'image-data', mediaType, data } : { type: 'file-data', mediaType, data });
    });
    if (!parts.ok) return parts;
    const output: Output = parts.value.every((part) => part.type === 'text') ? { type: isError ? 'error-text' : 'text', value: wordsOf(parts.value, block) } : { type: 'content', value: [...parts.value] };
    return ok({ type: 'tool-result', toolCallId: use.id, toolName: use.name, output });
  }
}

/** The words of one part of a result; null where it has none. */
const resultText = (part: unknown): string | null => {
  if (!isObject(part)) return null;
  if (part['type'] === 'text' && typeof part['text'] === 'string') return part['text'].toWellFormed();
  if (part['type'] === 'resource_link' && typeof part['uri'] === 'string') return part['uri'].toWellFormed();
  const { resource } = part;
  return part['type'] === 'resource' && isObject(resource) && typeof resource['text'] === 'string' ? resource['text'].toWellFormed() : null;
};

/** Some providers refuse an empty text. */
const wordsOf = (parts: readonly OutputPart[], { structuredContent }: Block): string => {
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return words.trim() !== '' ? words : structuredContent === undefined ? '(empty result)' : JSON.stringify(structuredContent).toWellFormed();
};
