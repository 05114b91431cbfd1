#!/usr/bin/env node
/**
 * The environment server: read-only facts about this Gantry and this computer over stdio, in both protocol eras.
 * It has no dependency and no state: the host writes the facts to the file named by GANTRY_FACTS_FILE, and each call reads them anew.
 * Nothing but JSON-RPC goes to stdout; diagnostics go to stderr.
 */
import { readFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { callTool, tools } from './tools.mjs';

const SERVER = { name: 'gantry-environment', title: 'Gantry environment', version: '1.0.0' };
const INSTRUCTIONS = 'Read-only facts about Gantry and the computer it runs on. No tool here changes anything.';
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const MODERN = ['2026-07-28'];
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
/** The lists never change while the process lives. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' };
const MAX_LINE_BYTES = 1_048_576;

class RpcError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the facts at call time; a sentence for the caller where that cannot be done. */
const readFacts = () => {
  const path = process.env.GANTRY_FACTS_FILE;
  if (!path) return { error: 'Gantry did not say where its facts are (GANTRY_FACTS_FILE is not set). Start this server from Gantry.' };
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { error: `The facts file that Gantry writes could not be read (${error.code ?? 'unknown reason'}). Reconnect this server in Gantry.` };
  }
  try {
    const facts = JSON.parse(text);
    if (isObject(facts) && facts.format === 'gantry-facts/1') return { facts };
  } catch {
    // told below: both cases have the same remedy
  }
  return { error: 'The facts file does not hold facts this server understands. Reconnect this server in Gantry.' };
};

const listTools = (params) => {
  if (params.cursor !== undefined) throw new RpcError(-32602, 'Unknown cursor: all tools are on one page');
  return { tools };
};

const call = (params) => {
  if (typeof params.name !== 'string') throw new RpcError(-32602, 'tools/call needs the name of a tool');
  if (!tools.some((tool) => tool.name === params.name)) throw new RpcError(-32602, `Unknown tool: ${params.name}`);
  return callTool(params.name, params.arguments ?? {}, readFacts);
};

const answerLegacy = (method, params) => {
  switch (method) {
    case 'initialize': {
      if (typeof params.protocolVersion !== 'string') throw new RpcError(-32602, 'initialize needs protocolVersion');
      const protocolVersion = LEGACY.includes(params.protocolVersion) ? params.protocolVersion : LEGACY[0];
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: SERVER, instructions: INSTRUCTIONS };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return listTools(params);
    case 'tools/call':
      return call(params);
    default:
      throw new RpcError(-32601, `Method not found: ${method}`);
  }
};

const answerModern = (method, params, meta) => {
  if (!MODERN.includes(meta[VERSION_KEY])) {
    throw new RpcError(-32022, `Unsupported protocol version: ${meta[VERSION_KEY]}`, { supported: MODERN, requested: meta[VERSION_KEY] });
  }
  if (!isObject(meta[CLIENT_CAPABILITIES_KEY])) throw new RpcError(-32602, `_meta needs ${CLIENT_CAPABILITIES_KEY}`);
  const complete = (result) => ({ resultType: 'complete', ...result, _meta: { [SERVER_INFO_KEY]: SERVER } });
  switch (method) {
    case 'server/discover':
      return complete({ supportedVersions: MODERN, capabilities: { tools: {} }, instructions: INSTRUCTIONS, ...CACHE });
    case 'tools/list':
      return complete({ ...listTools(params), ...CACHE });
    case 'tools/call':
      return complete(call(params));
    default:
      throw new RpcError(-32601, `Method not found: ${method}`);
  }
};

/** Gives the response of one message, or undefined for a notification or a response. */
const answer = (message) => {
  const id = isObject(message) && (typeof message.id === 'string' || Number.isInteger(message.id)) ? message.id : null;
  const failure = (code, text, data) => ({ jsonrpc: '2.0', id, error: { code, message: text, ...(data === undefined ? {} : { data }) } });
  if (!isObject(message) || message.jsonrpc !== '2.0') return failure(-32600, 'Not a JSON-RPC 2.0 message');
  if (message.method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof message.method !== 'string') return failure(-32600, 'A request needs a method');
  if (!('id' in message)) return undefined;
  if (id === null) return failure(-32600, 'A request id is a string or an integer');
  if (message.params !== undefined && !isObject(message.params)) return failure(-32602, 'params must be an object');
  const params = message.params ?? {};
  const meta = isObject(params._meta) ? params._meta : {};
  try {
    const modern = typeof meta[VERSION_KEY] === 'string' && !(message.method === 'initialize');
    return { jsonrpc: '2.0', id, result: modern ? answerModern(message.method, params, meta) : answerLegacy(message.method, params) };
  } catch (error) {
    if (error instanceof RpcError) return failure(error.code, error.message, error.data);
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return failure(-32603, 'Internal error');
  }
};

const send = (message) => {
  if (message !== undefined) process.stdout.write(`${JSON.stringify(message)}\n`);
};

const receive = (line) => {
  if (line.trim() === '') return;
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
  }
  // a batch exists in revision 2025-03-26 only; answering one is harmless in the others
  if (!Array.isArray(message)) return send(answer(message));
  if (message.length === 0) return send(answer(null));
  const answers = message.map(answer).filter((one) => one !== undefined);
  if (answers.length > 0) send(answers);
};

const decoder = new StringDecoder('utf8');
let pending = '';
process.stdin.on('data', (chunk) => {
  pending += decoder.write(chunk);
  const lines = pending.split('\n');
  pending = lines.pop();
  for (const line of lines) receive(line);
  if (pending.length > MAX_LINE_BYTES) {
    process.stderr.write('A message exceeded 1 MiB without a line end; leaving.\n');
    process.exit(1);
  }
});
process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));
