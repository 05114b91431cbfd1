// The client that the referee starts: `node drive-client.ts <url>`. It opens the address with the host's own connection code, calls what is offered, and ends. It knows no scenario's server but for one echo.
import { createHarness, type Harness } from '../../main/servers/pool-harness.fixture.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema?: Schema;
}
interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const SERVER = 'referee';
const LONGEST_CALL_MS = 20_000;

const VALUES: Readonly<Record<string, unknown>> = { number: 2, integer: 2, boolean: true, array: [], object: {}, null: null };
const sampleOf = (schema: Schema): unknown => VALUES[String(schema.type)] ?? 'text';
const sampleCall = (tool: Tool): Call => ({ name: tool.name, arguments: Object.fromEntries(Object.entries(tool.inputSchema?.properties ?? {}).map(([name, schema]) => [name, sampleOf(schema)])) });

/** `json_schema_echo` gets back, as it was read, the schema of the tool beside it. */
const echoOf = (tools: readonly Tool[]) => (call: Call): Call => {
  const other = tools.find(({ name }) => name !== call.name);
  return call.name === 'json_schema_echo' && other !== undefined ? { ...call, arguments: { schema: other.inputSchema } } : call;
};

const toolsOf = (harness: Harness): Tool[] => (harness.discovered.at(-1)?.definitions ?? []).filter(({ kind }) => kind === 'tool').map(({ definition }) => definition as unknown as Tool);

/** What the referee wants to be called and with what, else everything that was read, each once. */
const callsFor = (tools: readonly Tool[]): Call[] => {
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { toolCalls?: Call[] };
  return (context.toolCalls ?? tools.map(sampleCall)).map(echoOf(tools));
};

const url = process.argv.at(-1)!;
const harness = createHarness();
const told: unknown[] = [];
try {
  harness.add(SERVER, { kind: 'http', url });
  told.push(await harness.pool.connect(SERVER), harness.pool.connectionInfo(SERVER));
  for (const call of harness.pool.status(SERVER).state === 'ready' ? callsFor(toolsOf(harness)) : []) {
    told.push([call.name, await harness.call(SERVER, call.name, call.arguments, { timeoutMs: LONGEST_CALL_MS, maxTotalMs: LONGEST_CALL_MS })]);
  }
} finally {
  await harness.close();
}
console.log(JSON.stringify({ ended: true, told }));
