import { isDeepStrictEqual } from 'node:util';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3, LanguageModelV3FinishReason, LanguageModelV3FunctionTool, LanguageModelV3Message, LanguageModelV3ReasoningPart, LanguageModelV3ToolCall, LanguageModelV3Usage } from '@ai-sdk/provider';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { protocolOf, speaksAnthropic } from '../capabilities/routes/route-of.ts';
import { setByPerson } from '../network/address-guard.ts';
import { AnswerTooLarge } from '../network/answer-too-large.ts';
import { networkFault } from '../network/network-fault.ts';
import type { Outbound } from '../network/outbound.ts';
import { ExchangeCapture, type CapturedExchange } from './exchange-capture.ts';
import { parsed } from './mended-lines.ts';
import { modelFault } from './model-fault.ts';
import { NAMELESS } from './nameless-calls.ts';
import { picturesAside } from './pictures-aside.ts';
import { rawArguments, rawStreamedArguments } from './raw-arguments.ts';
import { endOf, type ReplyEnd } from './reply-end.ts';
import { MENDS } from './reply-mends.ts';
import { leadsElsewhere, REDIRECTS, unreachable } from './unreachable.ts';
import { MOST_CHARACTERS, readStream, sealedReasoning, withoutRepeats } from './read-stream.ts';

export interface ModelConfiguration {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
}

export interface ModelRequestInput {
  readonly prompt: readonly LanguageModelV3Message[];
  readonly tools: readonly LanguageModelV3FunctionTool[];
  readonly signal: AbortSignal;
  readonly mask: (text: string) => string;
  readonly outbound: Outbound;
  /** absent: the model may call a tool or not */
  readonly toolChoice?: 'auto' | 'required' | 'none' | undefined;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** absent: as much as the provider gives */
  readonly maxOutputTokens?: number | undefined;
  /** looks at the request as it would leave; a fault keeps it here */
  readonly admit?: ((requestText: string) => Fault | null) | undefined;
  /** words as they come */
  readonly onText?: ((text: string) => void) | undefined;
}

const STOPPED: Fault = fault('cancelled', 'The run was stopped; the connection to the model was closed.');

/** Text parts and calls of one reply, in their order. */
export type ReplyPart = { readonly type: 'text'; readonly text: string } | LanguageModelV3ToolCall;

export interface ModelReply {
  readonly content: readonly ReplyPart[];
  /** what the model thought, sealed by its provider: goes back with the calls of the same turn (OpenAI Responses) */
  readonly reasoning: readonly LanguageModelV3ReasoningPart[];
  /** as the provider counted */
  readonly usage: LanguageModelV3Usage;
  readonly finish: LanguageModelV3FinishReason;
  readonly end: ReplyEnd;
  readonly exchange: CapturedExchange;
}

/** `partialText`: words that had come before it broke off. `retryAfterMs`: as the provider asked. */
export type ModelFault = Fault & { readonly exchange: CapturedExchange | null; readonly partialText: string; readonly retryAfterMs: number | null };

/**
 * One request to a model, streamed; a provider that answers whole is read whole. Tools carry no `execute`: the library asks and answers, Gantry calls and
 * builds the history (design section 9). Faults: those of networkFault, of unreachable and of modelFault (bounded words); details.status.
 */
export const askModel = async (configuration: ModelConfiguration, request: ModelRequestInput): Promise<Result<ModelReply, ModelFault>> => {
  const protocol = protocolOf(configuration.provider);
  const client = request.outbound.client('model', { guard: setByPerson([configuration.baseUrl]) });
  const capture = new ExchangeCapture(client.fetch, request.admit, MENDS[protocol]);
  const said = { text: '' };
  try {
    const options = {
      prompt: protocol === 'openai-chat' ? picturesAside(request.prompt) : [...request.prompt],
      ...(request.tools.length > 0 ? { tools: request.tools.map((tool) => (protocol === 'openai-responses' ? { ...tool, strict: tool.strict ?? false } : tool)), toolChoice: { type: request.toolChoice ?? ('auto' as const) } } : {}),
      ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.stopSequences === undefined || request.stopSequences.length === 0 ? {} : { stopSequences: [...request.stopSequences] }),
      // anthropic: an extra field of each tool, which endpoints that speak the same protocol refuse; responses: the provider keeps nothing, Gantry has the history (the chat protocol keeps nothing by itself, and strict endpoints of it refuse the field)
      providerOptions: { anthropic: { toolStreaming: false }, ...(protocol === 'openai-responses' ? { openai: { store: false } } : {}) },
      abortSignal: request.signal,
    };
    const hear = (text: string): void => {
      said.text += text;
      request.onText?.(text);
    };
    const model = languageModel(configuration, capture.fetch);
    const streamed = await Promise.resolve(model.doStream(options)).catch((error: unknown) => {
      if (!capture.isWhole) throw error;
      return null;
    });
    const reply = streamed === null ? await wholeReply(model, capture, options, hear) : await readStream(streamed.stream, hear, protocol);
    return ok({ ...reply, end: endOf(reply.finish, protocol, capture.replyText), content: withOwnNames(withRawArguments(reply.content, configuration, capture)), exchange: capture.exchange! });
  } catch (error) {
    const known = request.signal.aborted ? STOPPED : (capture.refusal ?? onTheWay(error, configuration, capture, request.mask) ?? modelFault(error, request.mask, { status: capture.exchange?.status ?? null, streamed: capture.hasBegun, retryAfterMs: capture.retryAfterMs }));
    return err({ ...known, exchange: capture.exchange, partialText: said.text, retryAfterMs: capture.retryAfterMs });
  } finally {
    await client.close();
  }
};

/** What is in the way, where no answer of the provider came: as the test of a model says it. */
const onTheWay = (error: unknown, { baseUrl }: ModelConfiguration, { exchange, location }: ExchangeCapture, mask: (text: string) => string): Fault | null => {
  const status = exchange?.status ?? null;
  if (status !== null && REDIRECTS.has(status)) return leadsElsewhere(status, location, exchange!.url, mask);
  return networkFault(error, new URL(baseUrl).origin) ?? (status === null ? unreachable(error, baseUrl, null) : null);
};

type Options = Parameters<LanguageModelV3['doGenerate']>[0];

/** The answer of a provider that does not stream, which has come already: the library reads it without asking again. */
const wholeReply = async (model: LanguageModelV3, capture: ExchangeCapture, options: Options, hear: (text: string) => void): Promise<Omit<ModelReply, 'exchange' | 'end'>> => {
  capture.replay();
  const { content, usage, finishReason } = await model.doGenerate(options);
  const parts = content.flatMap((part): ReplyPart[] => (part.type === 'text' ? [{ type: 'text', text: part.text }] : part.type === 'tool-call' ? [part] : []));
  const length = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.input).length, 0);
  if (length > MOST_CHARACTERS) throw new AnswerTooLarge(length);
  for (const part of parts) if (part.type === 'text') hear(part.text);
  return { content: withoutRepeats(parts), reasoning: content.flatMap((part) => (part.type === 'reasoning' ? sealedReasoning(part.text, part.providerMetadata) : [])), usage, finish: finishReason };
};

const languageModel = ({ provider, baseUrl, model, key }: ModelConfiguration, capture: ExchangeCapture['fetch']): LanguageModelV3 => {
  const common = { baseURL: baseUrl.replace(/\/+$/, ''), fetch: capture };
  if (speaksAnthropic(provider)) return createAnthropic({ ...common, apiKey: key ?? 'none' })(model);
  // what is absent would be strict here: a function is what its rendering is
  if (protocolOf(provider) === 'openai-responses') return createOpenAI({ ...common, apiKey: key ?? 'none' }).responses(model);
  return createOpenAICompatible({ ...common, name: provider, includeUsage: true, transformRequestBody: (body) => withMaxTokensName(body, baseUrl), ...(key ? { apiKey: key } : {}) })(model);
};

/** OpenAI's own endpoint takes the limit under its newer name alone for newer models, and for all others too. */
const withMaxTokensName = (body: Record<string, unknown>, baseUrl: string): Record<string, unknown> => {
  if (body['max_tokens'] === undefined || new URL(baseUrl).hostname !== 'api.openai.com') return body;
  const { max_tokens, ...rest } = body;
  return { ...rest, max_completion_tokens: max_tokens };
};

/** Arguments as the model wrote them: the library gives them parsed and written again where the protocol carries them as JSON. Calls of one id are told apart by what they say. */
const withRawArguments = (content: readonly ReplyPart[], { provider }: ModelConfiguration, { replyText, isWhole }: ExchangeCapture): readonly ReplyPart[] => {
  if (!speaksAnthropic(provider)) return content;
  const raw = Map.groupBy(isWhole ? rawArguments(replyText) : rawStreamedArguments(replyText), ({ id }) => id);
  return content.map((part) => {
    const written = part.type === 'tool-call' ? (raw.get(part.toolCallId) ?? []) : [];
    if (part.type !== 'tool-call' || written.length === 0) return part;
    const said = parsed(part.input);
    const at = written.findIndex(({ text }) => isDeepStrictEqual(parsed(text), said));
    return at < 0 ? part : { ...part, input: written.splice(at, 1)[0]!.text };
  });
};

/** A call without a name has none. */
const withOwnNames = (content: readonly ReplyPart[]): readonly ReplyPart[] => content.map((part) => (part.type === 'tool-call' && part.toolName === NAMELESS ? { ...part, toolName: '' } : part));
