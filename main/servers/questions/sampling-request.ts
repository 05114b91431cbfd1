import { isObject } from '../../../shared/is-object.ts';
import type { SamplingMessage, SamplingRequest } from '../../../shared/question.ts';
import { err, ok, type Result } from '../../../shared/result.ts';
import { refusal, type Refusal } from './refusal.ts';

const SAMPLING_LIMITS = { bytes: 1024 * 1024, messages: 200, blocks: 100, tools: 128, maxTokens: 1_000_000, systemChars: 100_000 } as const;

export interface AskedSampling extends SamplingRequest {
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
}

type Block = Readonly<Record<string, unknown>>;

/** Text, pictures and sound, and with tools their use and result (2025-11-25); a media part says its type and carries base64. */
const isBlock = (block: unknown): block is Block => {
  if (!isObject(block)) return false;
  const { type } = block;
  if (type === 'text') return typeof block['text'] === 'string';
  if (type === 'image' || type === 'audio') return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string';
  if (type === 'tool_use') return typeof block['id'] === 'string' && typeof block['name'] === 'string' && isObject(block['input']);
  return type === 'tool_result' && typeof block['toolUseId'] === 'string' && Array.isArray(block['content']);
};

const messageOf = (message: unknown): SamplingMessage | null => {
  if (!isObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) return null;
  const content: unknown[] = Array.isArray(message['content']) ? message['content'] : [message['content']];
  return content.length > 0 && content.length <= SAMPLING_LIMITS.blocks && content.every(isBlock) ? { role: message['role'], content: content.map((block) => ({ ...block })) } : null;
};

const toolOf = (tool: unknown): NonNullable<SamplingRequest['tools']>[number] | null => {
  if (!isObject(tool) || typeof tool['name'] !== 'string' || !/^[\w.-]{1,128}$/.test(tool['name']) || !isObject(tool['inputSchema'])) return null;
  return { name: tool['name'], inputSchema: { ...tool['inputSchema'] }, ...(typeof tool['description'] === 'string' ? { description: tool['description'] } : {}) };
};

const CONTEXTS: ReadonlySet<unknown> = new Set(['none', 'thisServer', 'allServers']);
const MODES: ReadonlySet<unknown> = new Set(['auto', 'required', 'none']);

const ofType = ({ content }: SamplingMessage, type: string): Block[] => content.filter((block) => block['type'] === type);

/** Uses and results of tools belong together (client/sampling, 2025-11-25): a use is the assistant's, and the next message answers each one, with nothing else in it. */
const balance = (messages: readonly SamplingMessage[]): string | null => {
  for (const [i, message] of messages.entries()) {
    const uses = ofType(message, 'tool_use').map(({ id }) => id);
    const results = ofType(message, 'tool_result');
    if (uses.length > 0 && message.role !== 'assistant') return 'a tool use is not the assistant\'s';
    if (new Set(uses).size !== uses.length) return 'two tool uses have one id';
    if (results.length > 0 && (message.role !== 'user' || results.length !== message.content.length)) return 'a tool result stands beside other content';
    const before = i === 0 ? [] : ofType(messages[i - 1]!, 'tool_use').map(({ id }) => id);
    const answered = new Set(results.map(({ toolUseId }) => toolUseId));
    if (before.length !== results.length || !before.every((id) => answered.has(id))) return 'tool results do not answer the tool uses before them';
  }
  return ofType(messages.at(-1)!, 'tool_use').length > 0 ? 'a tool use has no result' : null;
};

/** What a server wants a model to be asked (sampling/createMessage), bounded. `includeContext` is told to the person and not followed. */
export const samplingRequest = (params: Readonly<Record<string, unknown>>): Result<AskedSampling, Refusal> => {
  const refuse = (why: string): Result<never, Refusal> => err(refusal('bad_params', `It asks for a model's answer: ${why}.`));
  if (JSON.stringify(params).length > SAMPLING_LIMITS.bytes) return refuse('the request is too large');
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, tools, toolChoice, modelPreferences, includeContext } = params;
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > SAMPLING_LIMITS.messages) return refuse(`messages are no list of 1 to ${SAMPLING_LIMITS.messages}`);
  const read = messages.map(messageOf);
  if (!read.every((message) => message !== null)) return refuse('a message cannot be read');
  const unbalanced = balance(read);
  if (unbalanced !== null) return refuse(unbalanced);
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1 || maxTokens > SAMPLING_LIMITS.maxTokens) return refuse('maxTokens is not usable');
  if (systemPrompt !== undefined && (typeof systemPrompt !== 'string' || systemPrompt.length > SAMPLING_LIMITS.systemChars)) return refuse('systemPrompt is no text');
  if (stopSequences !== undefined && !(Array.isArray(stopSequences) && stopSequences.length <= 20 && stopSequences.every((one): one is string => typeof one === 'string' && one.length <= 500))) return refuse('stopSequences are no texts');
  if (tools !== undefined && (!Array.isArray(tools) || tools.length > SAMPLING_LIMITS.tools)) return refuse('tools are no list');
  const offered = tools?.map(toolOf);
  if (offered !== undefined && !offered.every((tool) => tool !== null)) return refuse('a tool cannot be read');
  if (new Set(offered?.map(({ name }) => name)).size !== (offered?.length ?? 0)) return refuse('two tools have one name');
  const mode = isObject(toolChoice) ? (toolChoice['mode'] ?? 'auto') : undefined;
  if (toolChoice !== undefined && !MODES.has(mode)) return refuse('toolChoice is not known');
  return ok({
    messages: read,
    maxTokens,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(typeof temperature === 'number' && Number.isFinite(temperature) ? { temperature } : {}),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(offered === undefined ? {} : { tools: offered }),
    ...(mode === undefined ? {} : { toolChoice: { mode: mode as 'auto' } }),
    ...(isObject(modelPreferences) ? { modelPreferences: { ...modelPreferences } } : {}),
    ...(CONTEXTS.has(includeContext) ? { includeContext: includeContext as 'none' } : {}),
  });
};
