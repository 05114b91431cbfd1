import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ROUTE_IDS } from '../shared/rendering.ts';
import type { Definition } from '../shared/capability.ts';
import { TestRegistry } from '../main/capabilities/open-test-registry.ts';
import { Renderings } from '../main/capabilities/routes/renderings.ts';
import { SchemaChecker } from '../main/capabilities/schema-checker.ts';
import { sha256Hex } from '../main/capabilities/fingerprint.ts';
import { createHost } from '../main/host.ts';
import { longestTurn } from './longest-block.ts';
import type { Row } from './table.ts';

const AIM_MS = 50;
const WINDOW = { kind: 'window', canDecide: true } as const;
const CORPUS = join(process.env['GANTRY_SHARED'] ?? fileURLToPath(new URL('../../shared', import.meta.url)), 'toollists');
const SERVER = fileURLToPath(new URL('../e2e/fixtures/large-server.mjs', import.meta.url));

interface List {
  readonly name: string;
  readonly tools: readonly Definition[];
  readonly chars: number;
}

const listOf = (name: string, tools: readonly Definition[]): List => ({ name, tools, chars: JSON.stringify(tools).length });

const readCorpus = (): List[] => (existsSync(CORPUS) ? readdirSync(CORPUS).map((file) => listOf(file.replace('.json', ''), (JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as { result: { tools: Definition[] } }).result.tools)) : []);

const blockRow = (what: string, gantry: number, peer?: readonly [number, string]): Row => ({ what: `schemas, longest block: ${what}`, unit: 'ms', gantry, ...(peer === undefined ? {} : { peer: peer[0], peerName: peer[1] }), aim: `at most ${AIM_MS}`, met: gantry <= AIM_MS });

/** What a host does that has no worker: each schema compiled in its dialect as the list comes in. */
const bareAjv = () => {
  const options = { strict: false, logger: false, validateSchema: false } as const;
  const [older, newer] = [new Ajv(options), new Ajv2020(options)];
  for (const ajv of [older, newer]) addFormats.default(ajv as never);
  return (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const ajv = String((schema as { $schema?: unknown }).$schema).includes('draft-07') ? older : newer;
    ajv.compile(schema);
    ajv.removeSchema(schema);
  };
};

const compileAll = (compile: (schema: unknown) => void, { tools }: List): void => {
  for (const { inputSchema, outputSchema } of tools) for (const schema of [inputSchema, outputSchema]) compile(schema);
};

/** Registering lists as discovery does: fingerprints, flags, states from the worker, rows. */
const register = async (lists: readonly List[], schemas: SchemaChecker): Promise<{ readonly block: number; readonly ms: number }> => {
  const test = new TestRegistry(schemas);
  try {
    for (const { name } of lists) test.server(name);
    const begun = performance.now();
    const block = await longestTurn(async () => {
      for (const { name, tools } of lists) await test.offer(name, tools);
    });
    return { block, ms: performance.now() - begun };
  } finally {
    test.close();
  }
};

const registerRows = async (what: string, lists: readonly List[]): Promise<Row[]> => {
  const schemas = new SchemaChecker();
  try {
    // the worker's start and the code's first run are no part of a list
    await register([listOf('first', [{ name: 'first', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } } }])], schemas);
    const { block, ms } = await register(lists, schemas);
    const compile = bareAjv();
    let [peerBlock, peerMs] = [0, 0];
    for (const list of lists) {
      const begun = performance.now();
      peerBlock = Math.max(peerBlock, await longestTurn(() => Promise.resolve(compileAll(compile, list))));
      peerMs += performance.now() - begun;
    }
    return [blockRow(`registering ${what}`, block, [peerBlock, 'bare Ajv']), { what: `schemas, registering ${what}, in all`, unit: 'ms', gantry: ms, peer: peerMs, peerName: 'bare Ajv' }];
  } finally {
    await schemas.close();
  }
};

/** A validator is compiled again in the host, by the first call that needs it. */
const compileRow = async (what: string, tools: readonly Definition[]): Promise<Row> => {
  const schemas = new SchemaChecker();
  const compile = bareAjv();
  try {
    let [gantry, peer] = [0, 0];
    for (const tool of tools) {
      if ((await schemas.check(tool)).state === 'excluded') throw new Error(`${tool.name} is excluded`);
      const fingerprint = sha256Hex(JSON.stringify(tool));
      for (const use of ['input', 'output'] as const) {
        const schema = use === 'input' ? tool.inputSchema : tool.outputSchema;
        gantry = Math.max(gantry, await longestTurn(() => Promise.resolve(schemas.compile(schema, fingerprint, use))));
        peer = Math.max(peer, await longestTurn(() => Promise.resolve(compile(schema))));
      }
    }
    return blockRow(`the first call of ${what}`, gantry, [peer, 'bare Ajv']);
  } finally {
    await schemas.close();
  }
};

const renderRows = async (lists: readonly List[]): Promise<Row[]> => {
  const tools = lists.flatMap((list) => list.tools);
  const wanted = ROUTE_IDS.flatMap((routeId) => tools.map((definition) => ({ definition, definitionFingerprint: sha256Hex(JSON.stringify(definition)), routeId })));
  const warm = new Renderings();
  await warm.prepare(wanted.slice(0, 50));
  const renderings = new Renderings();
  const begun = performance.now();
  const block = await longestTurn(() => renderings.prepare(wanted));
  const ms = performance.now() - begun;
  return [blockRow(`${tools.length} tools rendered for ${ROUTE_IDS.length} routes`, block), { what: `schemas, ${tools.length} tools rendered for ${ROUTE_IDS.length} routes, in all`, unit: 'ms', gantry: ms }];
};

/** The largest schema of its kind that the checker takes: as many alternatives as there may be subschemas. */
const hardTools = (): Definition[] => {
  const alternatives = Array.from({ length: 290 }, (_, i) => ({ type: 'object', properties: { kind: { const: `kind ${i}` }, code: { type: 'string', pattern: `^[a-z]{${(i % 9) + 1}}$` }, size: { type: 'integer', minimum: i } }, required: ['kind'] }));
  return [{ name: 'alternatives', inputSchema: { type: 'object', properties: { one: { anyOf: alternatives } } } }, { name: 'choices', inputSchema: { type: 'object', properties: { choice: { enum: Array.from({ length: 10_000 }, (_, i) => `choice ${i}`) } } } }];
};

const RESULTS = [
  ['a table of 2,100 rows', 2_100],
  ['a table just below a large frame (3,700 rows)', 3_700],
  ['a table of 12 MB (190,000 rows)', 190_000],
] as const;

/** Judged by their output schema with a pattern in every row, down the whole line of a call. */
const resultRows = async (): Promise<Row[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-bench-schemas-'));
  const created = await createHost({ dataDir, shell: 'test', approvals: 'window' });
  if (!created.ok) throw new Error(created.error.message);
  const host = created.value;
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], stderr: 'ignore', maxBufferSize: 64 * 2 ** 20 } as never));
  const request = async (name: string, input: unknown): Promise<unknown> => {
    const answer = await host.handle(name, input, WINDOW);
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code} ${answer.error.message}`);
    return answer.value;
  };
  try {
    const { serverId } = (await request('servers:add', { spec: { kind: 'command', command: process.execPath, args: [SERVER] } })) as { serverId: string };
    await request('servers:connect', { serverId });
    const capabilityId = `mcp:${serverId}:tool:table`;
    await request('capabilities:review', { capabilityId, tier: 'read_only', admit: true });
    await client.listTools();
    const rows: Row[] = [];
    for (const [what, count] of RESULTS) {
      const ask = async (): Promise<void> => {
        const { class: kind } = (await request('calls:try', { capabilityId, input: { rows: count }, wait: true })) as { class?: string };
        if (kind !== 'ok' && kind !== 'stored') throw new Error(`${what} ended as ${String(kind)}`);
      };
      const bare = (): Promise<unknown> => client.callTool({ name: 'table', arguments: { rows: count } }, { timeout: 120_000 });
      // the first one starts the worker
      await ask();
      await bare();
      const gantry = await longestTurn(ask);
      rows.push(blockRow(what, gantry, [await longestTurn(bare), 'bare SDK, parsed and judged']));
    }
    return rows;
  } finally {
    await client.close();
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** Schema work by this thread's processor time: lists as they are discovered, first calls, renderings, and results judged by their schemas. */
export const benchSchemas = async (): Promise<Row[]> => {
  const lists = readCorpus();
  const rows: Row[] = [];
  if (lists.length === 0) process.stderr.write(`${CORPUS} is absent: no rows of real tool lists\n`);
  else {
    const all = lists.flatMap(({ tools }) => tools);
    const largest = lists.reduce((a, b) => (a.chars >= b.chars ? a : b));
    const pile = listOf('pile', ['a', 'b'].flatMap((which) => all.map((tool, i) => ({ ...tool, name: `${which}_${i}_${tool.name}` }))));
    const kb = ({ chars }: { readonly chars: number }): string => `${Math.round(chars / 1000)} kB`;
    rows.push(...(await registerRows(`${lists.length} real lists (${all.length} tools, ${kb(listOf('all', all))})`, lists)));
    rows.push(...(await registerRows(`the largest of them (${largest.name}, ${largest.tools.length} tools, ${kb(largest)})`, [largest])));
    rows.push(...(await registerRows(`one list of ${pile.tools.length} tools (${kb(pile)})`, [pile])));
    rows.push(await compileRow('a tool of the real lists', all), ...(await renderRows(lists)));
  }
  for (const tool of hardTools()) rows.push(await compileRow(`a tool with a schema at the limit (${tool.name})`, [tool]));
  rows.push(...(await resultRows()));
  return rows;
};
