import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3, LanguageModelV3Content, LanguageModelV3FunctionTool, LanguageModelV3Message, LanguageModelV3Usage } from '@ai-sdk/provider';
import type { Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { setByPerson } from '../network/address-guard.ts';
import { networkFault } from '../network/network-fault.ts';
import type { Outbound } from '../network/outbound.ts';
import { readCapped } from '../network/read-capped.ts';
import { speaksAnthropic } from '../capabilities/routes/route-of.ts';
import { modelFault } from './model-fault.ts';
import { rawArguments } from './raw-arguments.ts';

export interface ModelConfiguration {
  readonly provider: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
}

/** Of one reply, decoded; the largest context that a model writes is a hundredth of it. */
const REPLY_CAP_BYTES = 32 * 1024 * 1024;

/** One request as it left this machine and what came back; headers are not kept, so no key can be. */
export interface CapturedExchange {
  readonly url: string;
  readonly requestText: string;
  readonly status: number | null;
}

export interface ModelReply {
  readonly content: readonly LanguageModelV3Content[];
  /** as the provider counted */
  readonly usage: LanguageModelV3Usage;
  readonly exchange: CapturedExchange;
}

/**
 * One request to a model. Tools carry no `execute`: the library asks and answers, Gantry calls and builds the history (design section 9).
 * Faults: those of networkFault, and `model_failed` with details.status and the provider's words (bounded).
 */
export const askModel = async (
  configuration: ModelConfiguration,
  request: { readonly prompt: readonly LanguageModelV3Message[]; readonly tools: readonly LanguageModelV3FunctionTool[]; readonly signal: AbortSignal; readonly mask: (text: string) => string; readonly outbound: Outbound },
): Promise<Result<ModelReply, Fault & { readonly exchange: CapturedExchange | null }>> => {
  let exchange: CapturedExchange | null = null;
  let replyText = '';
  const client = request.outbound.client('model', { guard: setByPerson([configuration.baseUrl]) });
  const capture: Fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    exchange = { url, requestText: typeof init?.body === 'string' ? init.body : '', status: null };
    const response = await client.fetch(url, { ...init, redirect: 'error' });
    exchange = { ...exchange, status: response.status };
    replyText = (await readCapped(response, REPLY_CAP_BYTES)).toString('utf8');
    return new Response(replyText, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
  try {
    const reply = await languageModel(configuration, capture).doGenerate({
      prompt: [...request.prompt],
      ...(request.tools.length > 0 ? { tools: [...request.tools], toolChoice: { type: 'auto' as const } } : {}),
      abortSignal: request.signal,
    });
    return ok({ content: withRawArguments(reply.content, configuration, replyText), usage: reply.usage, exchange: exchange! });
  } catch (error) {
    return err({ ...(networkFault(error, new URL(configuration.baseUrl).origin) ?? modelFault(error, request.mask)), exchange });
  } finally {
    await client.close();
  }
};

/** What the libraries take in place of the platform's own. */
type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const languageModel = (configuration: ModelConfiguration, capture: Fetch): LanguageModelV3 => {
  const common = { baseURL: configuration.baseUrl.replace(/\/+$/, ''), fetch: capture };
  if (speaksAnthropic(configuration.provider)) return createAnthropic({ ...common, apiKey: configuration.key ?? 'none' })(configuration.model);
  return createOpenAICompatible({ ...common, name: configuration.provider, ...(configuration.key ? { apiKey: configuration.key } : {}) })(configuration.model);
};

/** Arguments as the model wrote them: the library gives them parsed and written again where the protocol carries them as JSON. */
const withRawArguments = (content: readonly LanguageModelV3Content[], configuration: ModelConfiguration, replyText: string): readonly LanguageModelV3Content[] => {
  if (!speaksAnthropic(configuration.provider)) return content;
  const raw = rawArguments(replyText);
  let n = 0;
  return content.map((part) => {
    if (part.type !== 'tool-call') return part;
    const own = raw[n];
    n += 1;
    return own && own.id === part.toolCallId ? { ...part, input: own.text } : part;
  });
};
