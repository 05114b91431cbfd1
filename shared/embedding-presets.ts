/** An embeddings endpoint that Gantry knows the address of. */
export interface EmbeddingPreset {
  readonly id: string;
  /** as its maker writes it; the same in every language */
  readonly name: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly key: 'needed' | 'optional';
  /** runs on this computer: nothing leaves it */
  readonly isLocal: boolean;
  /** a name of a model as its maker writes it, for an example */
  readonly example: string;
}

/** Base addresses as each provider's own documentation gives them; `/embeddings` is added to them. */
export const EMBEDDING_PRESETS: readonly EmbeddingPreset[] = [
  { id: 'ollama', name: 'Ollama', provider: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', key: 'optional', isLocal: true, example: 'bge-m3' },
  { id: 'lm-studio', name: 'LM Studio', provider: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1', key: 'optional', isLocal: true, example: 'text-embedding-nomic-embed-text-v1.5' },
  { id: 'vllm', name: 'vLLM', provider: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', key: 'optional', isLocal: true, example: 'BAAI/bge-m3' },
  { id: 'openai', name: 'OpenAI', provider: 'openai', baseUrl: 'https://api.openai.com/v1', key: 'needed', isLocal: false, example: 'text-embedding-3-small' },
  { id: 'gemini', name: 'Google Gemini', provider: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai', key: 'needed', isLocal: false, example: 'gemini-embedding-001' },
  { id: 'mistral', name: 'Mistral AI', provider: 'mistral', baseUrl: 'https://api.mistral.ai/v1', key: 'needed', isLocal: false, example: 'mistral-embed' },
  { id: 'siliconflow', name: 'SiliconFlow (硅基流动)', provider: 'siliconflow', baseUrl: 'https://api.siliconflow.cn/v1', key: 'needed', isLocal: false, example: 'BAAI/bge-m3' },
];
