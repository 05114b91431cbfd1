/**
 * What a server may ask of us, answered without the SDK's handlers so that odd parameters never make a ping fail (C023) and no question hangs (C032).
 * roots/list: an empty list (announced, deprecated, asked by several servers right after the handshake). Everything else: -32601, and no prompt (F16).
 */
export const answerServerRequest = (message: Readonly<Record<string, unknown>>, era: 'legacy' | 'modern' | null): Readonly<Record<string, unknown>> => {
  const id = message['id'] as string | number;
  const method = String(message['method']);
  if (era !== 'modern' && method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  if (era !== 'modern' && method === 'roots/list') return { jsonrpc: '2.0', id, result: { roots: [] } };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method.slice(0, 200)}` } };
};
