import type { RouteId } from '../../../shared/rendering.ts';
import { ROUTE_RULES, type RouteProfile, type RouteRule } from './route-profile.ts';

const github = (repository: string, kind: 'issues' | 'pull', n: number): string => `https://github.com/${repository}/${kind}/${n}`;
const JSON_SCHEMA = 'https://json-schema.org/draft/2020-12/json-schema-validation';
const everywhere = (url: string, own: Partial<Record<RouteRule, string>>): Readonly<Record<RouteRule, string>> => ({ ...(Object.fromEntries(ROUTE_RULES.map((rule) => [rule, url])) as Record<RouteRule, string>), ...own });

const EDITED: RouteProfile['schema'] = {
  form: 'edited', keywords: 'all', notAtRoot: [], propertiesAtRoot: true, itemsNeeded: true, memberNames: null, patterns: true,
  nullAs: 'type_list', alternatives: true, listsOf: 'values', formats: new Set(), closed: false,
};
/** What every version of the smaller languages reads; lengths, patterns and defaults came late or never, so they are told. */
const REBUILT: RouteProfile['schema'] = {
  ...EDITED, form: 'rebuilt', patterns: false, nullAs: 'keyword', listsOf: 'texts', formats: new Set(['date-time', 'int32', 'int64', 'float', 'double']),
  keywords: new Set(['type', 'description', 'nullable', 'enum', 'format', 'properties', 'required', 'items', 'minItems', 'maxItems', 'minimum', 'maximum', 'anyOf']),
};

/** Of the chat protocol: its tool messages carry texts alone, so pictures follow them in a message of their own (`pictures-aside.ts`), also those of an error. */
const PICTURES_ASIDE: RouteProfile['toolResults'] = { media: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']), maxBase64Bytes: 5 * 1_048_576, maxPixels: 8_000, maxMedia: 20, maxRequestBase64Bytes: 20 * 1_048_576, mediaWithErrors: true };
export const TEXT_ONLY: RouteProfile['toolResults'] = { media: new Set(), maxBase64Bytes: 0, maxPixels: 0, maxMedia: 0, maxRequestBase64Bytes: 0, mediaWithErrors: false };
/** Tool messages of the chat protocol take texts only; strict servers answer 400 to the rest. */
const CHAT_RESULTS = github('QwenLM/qwen-code', 'issues', 3616);

const OPENAI = 'https://platform.openai.com/docs/guides/function-calling';
const OPENAI_STRICT = 'https://platform.openai.com/docs/guides/structured-outputs/supported-schemas';
const OPENAI_SOURCES = everywhere(OPENAI, {
  limit: github('microsoft/vscode', 'issues', 255585), items: github('github/copilot-cli', 'issues', 1825), root: github('makenotion/notion-mcp-server', 'issues', 341), alternatives: github('makenotion/notion-mcp-server', 'issues', 341),
  patterns: github('langchain-ai/langchainjs', 'issues', 11351), names: github('github/copilot-cli', 'issues', 1879), references: JSON_SCHEMA, results: CHAT_RESULTS,
});
const OPENAI_NAMES = { startsWithLetter: false, maxLength: 64 } as const;

const openAiChat: RouteProfile = {
  id: 'openai-chat', names: OPENAI_NAMES, maxTools: 128, toolTokens: 32_000, toolsWithHistory: false, sources: OPENAI_SOURCES, toolResults: PICTURES_ASIDE,
  schema: { ...EDITED, notAtRoot: ['enum', 'not', 'const'] },
};

/** Outputs of functions take pictures and PDF beside text; the chat protocol's tool messages do not. */
const openAiResponses: RouteProfile = {
  ...openAiChat, id: 'openai-responses', sources: { ...OPENAI_SOURCES, results: 'https://platform.openai.com/docs/api-reference/responses/create' },
  toolResults: { media: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']), maxBase64Bytes: 5 * 1_048_576, maxPixels: 8_000, maxMedia: 20, maxRequestBase64Bytes: 20 * 1_048_576, mediaWithErrors: false },
};

const openAiStrict: RouteProfile = {
  ...openAiChat, id: 'openai-strict',
  sources: { ...OPENAI_SOURCES, strict: OPENAI_STRICT, keywords: OPENAI_STRICT, null: OPENAI_STRICT, types: OPENAI_STRICT, alternatives: OPENAI_STRICT, references: OPENAI_STRICT, required: OPENAI_STRICT, lists: OPENAI_STRICT },
  schema: {
    ...REBUILT, closed: true, nullAs: 'type_list', listsOf: 'values', patterns: true, notAtRoot: ['enum', 'not', 'const'],
    formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
    keywords: new Set(['type', 'description', 'enum', 'format', 'pattern', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'anyOf']),
  },
};

/** Names of 128 characters are read directly, 64 through the routers in front of it. Sizes of pictures: the vision page; a result marked as an error takes words only. */
const anthropic: RouteProfile = {
  toolResults: { media: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']), maxBase64Bytes: 5 * 1_048_576, maxPixels: 8_000, maxMedia: 20, maxRequestBase64Bytes: 20 * 1_048_576, mediaWithErrors: false },
  id: 'anthropic', names: { startsWithLetter: false, maxLength: 64 }, maxTools: 1000, toolTokens: 60_000, toolsWithHistory: true,
  schema: { ...EDITED, itemsNeeded: false, propertiesAtRoot: false, memberNames: /^[a-zA-Z0-9_.-]{1,64}$/ },
  sources: everywhere('https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use', {
    root: github('anthropics/claude-code', 'issues', 56174), alternatives: github('anthropics/claude-code', 'issues', 56174), members: github('anthropics/claude-code', 'issues', 79418), references: JSON_SCHEMA,
    results: github('vellum-ai/vellum-assistant', 'pull', 18387),
  }),
};

const gemini: RouteProfile = {
  id: 'gemini', names: { startsWithLetter: true, maxLength: 63 }, maxTools: 128, toolTokens: 32_000, toolsWithHistory: false, schema: REBUILT, toolResults: TEXT_ONLY,
  sources: everywhere('https://ai.google.dev/api/caching#Schema', {
    names: 'https://ai.google.dev/api/caching#FunctionDeclaration', types: github('google-gemini/gemini-cli', 'issues', 21094), null: github('google-gemini/gemini-cli', 'issues', 21094), lists: github('google-gemini/gemini-cli', 'issues', 4400),
    alternatives: github('anomalyco/opencode', 'pull', 14659), required: github('probelabs/probe', 'issues', 569), references: github('PrefectHQ/fastmcp', 'issues', 1016), items: github('anomalyco/opencode', 'issues', 48073), results: CHAT_RESULTS,
  }),
};

const moonshot: RouteProfile = {
  id: 'moonshot', names: { startsWithLetter: true, maxLength: 64 }, maxTools: 128, toolTokens: 32_000, toolsWithHistory: false, toolResults: TEXT_ONLY,
  schema: { ...REBUILT, nullAs: 'alternative', listsOf: 'values', formats: new Set(), keywords: new Set(['type', 'description', 'enum', 'properties', 'required', 'items', 'minItems', 'maxItems', 'minimum', 'maximum', 'anyOf']) },
  sources: everywhere(github('MoonshotAI/kimi-cli', 'issues', 1595), {
    names: github('MoonshotAI/kimi-cli', 'issues', 2531), alternatives: github('MoonshotAI/kimi-cli', 'issues', 2531), references: github('MoonshotAI/kimi-cli', 'issues', 2061), types: github('MoonshotAI/kimi-cli', 'issues', 1595), limit: 'https://platform.moonshot.ai/docs/api/tool-use', results: CHAT_RESULTS,
  }),
};

const deepseek: RouteProfile = {
  ...openAiChat, id: 'deepseek', names: { startsWithLetter: false, maxLength: 64 },
  sources: everywhere('https://api-docs.deepseek.com/guides/function_calling', { names: github('zed-industries/zed', 'issues', 57531), root: github('Kilo-Org/kilocode', 'issues', 12237), results: CHAT_RESULTS }),
};

/** Ollama, llama.cpp, LM Studio: a schema becomes a grammar, and one that does not fails the whole request. */
const local: RouteProfile = {
  ...openAiChat, id: 'local',
  schema: { ...EDITED, patterns: false, notAtRoot: ['enum', 'not', 'const'] },
  sources: everywhere('https://github.com/ggml-org/llama.cpp/tree/master/grammars', { patterns: github('ggml-org/llama.cpp', 'issues', 27580), keywords: github('ggml-org/llama.cpp', 'issues', 19051), results: CHAT_RESULTS }),
};

/** What every route above reads: for a provider that is not known, or a router in front of several. */
const portable: RouteProfile = {
  id: 'portable', names: { startsWithLetter: true, maxLength: 63 }, maxTools: 128, toolTokens: 32_000, toolsWithHistory: false, toolResults: TEXT_ONLY,
  schema: { ...REBUILT, formats: new Set(['date-time']), memberNames: anthropic.schema.memberNames },
  sources: gemini.sources,
};

/** Plain types and words, nothing else: what a tool is shown as after a provider refused its usual form. */
const plainest: RouteProfile = {
  ...portable, id: 'plainest',
  schema: { ...portable.schema, alternatives: false, formats: new Set(), keywords: new Set(['type', 'description', 'nullable', 'enum', 'properties', 'required', 'items']) },
};

/** Every route that Gantry knows, each rule with its source. */
export const ROUTES: Readonly<Record<RouteId, RouteProfile>> = {
  anthropic, 'openai-chat': openAiChat, 'openai-responses': openAiResponses, 'openai-strict': openAiStrict, gemini, deepseek, moonshot, local, portable, plainest,
};
