// A stdio server with 100 small tools: the load of the start measurement.
import { createInterface } from 'node:readline';

const tools = Array.from({ length: 100 }, (_, i) => ({
  name: `tool_${i}`,
  description: `Looks up record ${i} in the store of samples and returns what is found there.`,
  inputSchema: { type: 'object', properties: { key: { type: 'string', description: `key of record ${i}` }, limit: { type: 'integer', minimum: 1 } }, required: ['key'] },
}));
const answers = {
  initialize: (p) => ({ protocolVersion: p.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'many-tools', version: '1' } }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const answer = answers[message.method];
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(answer ? { result: answer(message.params) } : { error: { code: -32601, message: 'Method not found' } }) })}\n`);
});
process.stdin.on('end', () => process.exit(0));
