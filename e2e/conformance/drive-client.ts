// The client that the referee starts: `node drive-client.ts <url>`. It opens the address with the host's own connection code, signs in where a person would, calls what is offered, and ends. It knows no scenario's server but for one echo.
import { visit } from '../../main/servers/auth/person.fixture.ts';
import { createHarness, type Harness } from '../../main/servers/pool-harness.fixture.ts';
import { judgeContent } from '../../main/servers/questions/form-content.ts';
import type { QuestionPort } from '../../main/servers/questions/question-port.ts';

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

const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as { toolCalls?: Call[]; client_id?: string; client_secret?: string };

/** What the referee wants to be called and with what, else everything that was read, each once. */
const callsFor = (tools: readonly Tool[]): Call[] => {
  return (context.toolCalls ?? tools.map(sampleCall)).map(echoOf(tools));
};

interface Connected {
  readonly state: string;
  readonly code?: string;
}

const told: unknown[] = [];

/** More often than Gantry lets a person: where it ends is the host's doing. */
const MOST_SIGN_INS = 8;
/** Fixed by the referee as the one that its login server knows. */
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json';
const wantsSignIn = (code: string | undefined): boolean => code === 'sign_in_required' || code === 'scope_missing';
const flat = (status: { readonly state: string; readonly code?: string }): Connected => ({ state: status.state, ...(status.code === undefined ? {} : { code: status.code }) });

/** The person: presses Sign in, and allows at the login server. Whether they are signed in then. */
const signIn = async (harness: Harness): Promise<boolean> => {
  const begun = await harness.pool.signIns.begin(SERVER);
  if (!begun.ok) {
    told.push(begun.error);
    return false;
  }
  told.push(['the page for the answer', (await visit(begun.value.pending.address)).status]);
  const ended = await begun.value.done;
  told.push(ended);
  return ended.ok;
};

/** The person who is asked something: agrees to every form as it stands, with its defaults and nothing else. */
const person: QuestionPort = {
  offersSampling: false,
  note: () => true,
  completed: () => {},
  ask: ({ content }) => {
    const filled = content.kind === 'form' ? judgeContent(content.form, {}) : null;
    told.push(['asked', content.message, filled]);
    return Promise.resolve(filled?.ok ? { action: 'accept', content: filled.value } : { action: 'decline' });
  },
};

const url = process.argv.at(-1)!;
const harness = createHarness({ clientDocument: () => CLIENT_DOCUMENT, questions: person });
try {
  harness.add(SERVER, { kind: 'http', url });
  if (context.client_id !== undefined) harness.pool.signIns.of(SERVER).setClient({ clientId: context.client_id, secret: context.client_secret ?? null, port: null });
  let connected: Connected = await harness.pool.connect(SERVER);
  for (let n = 0; n < MOST_SIGN_INS && wantsSignIn(connected.code) && (await signIn(harness)); n += 1) connected = flat(harness.pool.status(SERVER));
  told.push(connected, harness.pool.connectionInfo(SERVER));
  for (const call of connected.state === 'ready' ? callsFor(toolsOf(harness)) : []) {
    for (let n = 0; n < MOST_SIGN_INS; n += 1) {
      const outcome = await harness.call(SERVER, call.name, call.arguments, { timeoutMs: LONGEST_CALL_MS, maxTotalMs: LONGEST_CALL_MS });
      told.push([call.name, outcome]);
      if (outcome.kind !== 'failed' || !wantsSignIn(outcome.fault.code) || !(await signIn(harness))) break;
    }
  }
} finally {
  await harness.close();
}
console.log(JSON.stringify({ ended: true, told }));
