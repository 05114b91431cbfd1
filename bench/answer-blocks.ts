import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FrameLane } from '../main/servers/frame-lane.ts';
import { createHarness } from '../main/servers/pool-harness.fixture.ts';
import { longestTurn } from './longest-block.ts';
import type { Row } from './table.ts';

const AIM_MS = 50;
const ENTRIES = 100_000;
const server = fileURLToPath(new URL('../e2e/fixtures/huge-answers-server.mjs', import.meta.url));
const WORKER = new URL('../main/calls/frame-worker.ts', import.meta.url);

type Era = 'legacy' | 'modern';
const METHODS = ['initialize', 'server/discover', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'tools/call', 'resources/read', 'prompts/get', 'completion/complete', 'tasks/get', 'tasks/result', 'tasks/cancel', 'logging/setLevel', 'resources/subscribe'];
const SPOKEN = ['notifications/message', 'notifications/progress', 'notifications/resources/updated', 'notifications/tools/list_changed', 'notifications/nobody/knows', 'elicitation/create', 'sampling/createMessage', 'roots/list'];
/** Whatever a server can be asked, or says by itself, far too large. */
export const WHATS: readonly string[] = [...METHODS, ...METHODS.map((method) => `${method} beside`), ...METHODS.map((method) => `${method} error`), ...SPOKEN];

const addressOf = (args: readonly string[], endings: (() => void)[]): Promise<string> => {
  const child = spawn(process.execPath, [server, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  endings.push(() => child.kill('SIGKILL'));
  return new Promise((done) => child.stderr.on('data', (said: Buffer) => /LISTEN (\S+)/.test(String(said)) && done(/LISTEN (\S+)/.exec(String(said))![1]!)));
};

/** Everything that a host asks of one such server, in turn: the longest turn of this thread in ms of its own processor time, and what came of it. */
export const blockOf = async (era: Era, over: 'stdio' | 'json' | 'stream', what: string, n: number): Promise<{ readonly ms: number; readonly told: readonly string[] }> => {
  const lane = new FrameLane(WORKER);
  const h = createHarness({ open: { frames: lane } });
  const endings: (() => void)[] = [];
  const told: string[] = [];
  try {
    const args = [era, over, what, String(n)];
    h.add('srv', over === 'stdio' ? { kind: 'command', command: process.execPath, args: [server, ...args] } : { kind: 'http', url: `${await addressOf(args, endings)}/mcp` });
    // the worker is started and warm, as it is in a host that runs
    await lane.read(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x', params: 'x'.repeat(300_000) })));
    const limits = { timeoutMs: 60_000, maxTotalMs: 60_000 };
    const keep = (step: string, one: unknown): void => {
      const { held, wire, ...answer } = one as { held?: { release(): void }; wire?: unknown };
      held?.release();
      told.push(`${step}: ${(JSON.stringify(wire ?? answer) ?? '').slice(0, 160)}`);
    };
    const ms = await longestTurn(async () => {
      keep('connect', await h.pool.connect('srv'));
      keep('tool', await h.callAny('srv', 'job', {}, { ...limits, prefersTask: true }));
      const handle = { taskId: 'task-1', era, launchFingerprint: h.pool.launches.of('srv')!.fingerprint };
      for (const ask of ['get', ...(era === 'legacy' ? (['result'] as const) : []), 'cancel'] as const) {
        const answer = await h.pool.askTask('srv', { handle, ask: { what: ask }, ...limits });
        const outcome = answer.kind === 'outcome' ? answer.outcome : answer.kind === 'state' ? answer.settled : undefined;
        keep(`tasks/${ask}`, outcome ?? answer);
      }
      keep('read', await h.callAny('srv', 'note', {}, { ...limits, kind: 'resource', uri: 'note://1' }));
      keep('get', await h.callAny('srv', 'ask', {}, { ...limits, kind: 'prompt' }));
      keep('complete', await h.pool.resources.complete('srv', { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'a', value: '' }, others: {} }, new AbortController().signal));
      if (era === 'legacy') keep('watch', await h.pool.resources.watch('srv', 'note://1', true));
    });
    return { ms, told };
  } finally {
    await h.close();
    await lane.close();
    for (const end of endings) end();
  }
};

/** The worst of all answers, and of all that a server says by itself, in both eras over stdio. */
export const benchAnswerBlocks = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [what, group] of [['answer to any method', METHODS], ['notice or request of a server', SPOKEN]] as const) {
    const each: (readonly [number, string])[] = [];
    for (const one of group) for (const era of ['legacy', 'modern'] as const) for (const n of [ENTRIES, 0]) each.push([(await blockOf(era, 'stdio', one, n)).ms, one]);
    const [worst, where] = each.reduce((most, one) => (one[0] > most[0] ? one : most));
    rows.push({ what: `longest turn, ${what}, ${ENTRIES} entries or 15 MB (${where})`, unit: 'ms', gantry: worst, aim: `at most ${AIM_MS}`, met: worst <= AIM_MS });
  }
  return rows;
};
