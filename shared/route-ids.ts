/** A model route: what kind of provider a request goes to. `portable` is for one that is not known; `plainest` is what a tool is shown as after a refusal. */
export const ROUTE_IDS = ['anthropic', 'openai-chat', 'openai-responses', 'openai-strict', 'gemini', 'deepseek', 'moonshot', 'local', 'portable', 'plainest'] as const;
export type RouteId = (typeof ROUTE_IDS)[number];

export const RENDERING_STATES = ['unchanged', 'rewritten', 'told', 'left_out'] as const;
export type RenderingState = (typeof RENDERING_STATES)[number];
