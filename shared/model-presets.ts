import type { RouteId } from './route-ids.ts';

/** A provider that Gantry knows the address of. `provider` decides the protocol and, with model and address, the route. */
export interface ModelPreset {
  readonly id: string;
  /** as its maker writes it; the same in every language */
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly key: 'needed' | 'optional';
  /** runs on this computer or in this network: nothing leaves it */
  readonly isLocal: boolean;
  readonly protocol: 'openai-chat' | 'openai-responses' | 'anthropic-messages';
  /** the route that follows from it; a router in front of other models follows the model's name */
  readonly routeId: RouteId;
}

/** Base addresses as each provider's own documentation gives them; the path of the protocol is added to them. */
export const MODEL_PRESETS: readonly ModelPreset[] = [
  { id: 'openai', name: 'OpenAI', provider: 'openai', baseUrl: 'https://api.openai.com/v1', key: 'needed', isLocal: false, protocol: 'openai-chat', routeId: 'openai-chat' },
  { id: 'openai-responses', name: 'OpenAI (Responses)', provider: 'openai-responses', baseUrl: 'https://api.openai.com/v1', key: 'needed', isLocal: false, protocol: 'openai-responses', routeId: 'openai-responses' },
  { id: 'anthropic', name: 'Anthropic', provider: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', key: 'needed', isLocal: false, protocol: 'anthropic-messages', routeId: 'anthropic' },
  { id: 'deepseek', name: 'DeepSeek', provider: 'deepseek', baseUrl: 'https://api.deepseek.com/v1', key: 'needed', isLocal: false, protocol: 'openai-chat', routeId: 'deepseek' },
  { id: 'moonshot', name: 'Moonshot AI', provider: 'moonshot', baseUrl: 'https://api.moonshot.ai/v1', key: 'needed', isLocal: false, protocol: 'openai-chat', routeId: 'moonshot' },
  { id: 'moonshot-cn', name: 'Moonshot AI (月之暗面)', provider: 'moonshot', baseUrl: 'https://api.moonshot.cn/v1', key: 'needed', isLocal: false, protocol: 'openai-chat', routeId: 'moonshot' },
  { id: 'gemini', name: 'Google Gemini', provider: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', key: 'needed', isLocal: false, protocol: 'openai-chat', routeId: 'gemini' },
  { id: 'ollama', name: 'Ollama', provider: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', key: 'optional', isLocal: true, protocol: 'openai-chat', routeId: 'local' },
  { id: 'lm-studio', name: 'LM Studio', provider: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1', key: 'optional', isLocal: true, protocol: 'openai-chat', routeId: 'local' },
  { id: 'vllm', name: 'vLLM', provider: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', key: 'optional', isLocal: true, protocol: 'openai-chat', routeId: 'portable' },
];
