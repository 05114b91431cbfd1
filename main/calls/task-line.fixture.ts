import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { FrameLane } from '../servers/frame-lane.ts';
import { createHarness, REPO } from '../servers/pool-harness.fixture.ts';
import type { ScriptedPerson } from '../servers/questions/person.fixture.ts';
import type { Tier } from '../../shared/tier.ts';
import { DEFAULT_SETTINGS } from '../../shared/settings.ts';
import type { CallClass } from '../../shared/call-class.ts';
import { eventsOf } from '../store/events.ts';
import type { Outcome } from './call-outcome.ts';
import type { CallLine } from './run-call.ts';
import { World, openTestLine, type TestLine } from './open-test-line.ts';

const SERVER = join(REPO, 'e2e/fixtures/task-server.mjs');
type Era = 'legacy' | 'modern';
const endings: (() => unknown)[] = [];

/** What a test opened is ended behind it, the last one first. */
export const endLater = (end: () => unknown): void => void endings.push(end);
export const closeTaskLines = async (): Promise<void> => {
  for (const end of endings.splice(0).reverse()) await end();
};

interface Said {
  readonly message: { readonly method?: string; readonly id?: unknown; readonly params?: Record<string, unknown> };
  readonly name?: string;
}

/** The real line on a real pool and a real server. Waits between questions are kept and cut short. */
export const openTaskLine = async (era: Era, over: 'stdio' | 'http' = 'stdio', more: { readonly state?: boolean; readonly followMs?: number; readonly quick?: boolean; readonly frames?: FrameLane; readonly person?: ScriptedPerson; readonly wait?: (ms: number, signal: AbortSignal) => Promise<void> } = {}) => {
  const h = createHarness({ crashFirstWaitMs: 20, ...(more.frames ? { open: { frames: more.frames } } : {}), ...(more.person ? { questions: more.person } : {}) });
  endings.push(h.close);
  const recordFile = join(h.dataDir, 'tasks.record');
  const stateFile = join(h.dataDir, 'tasks.state');
  const args = [SERVER, era, over, recordFile, ...(more.state ? [stateFile] : [])];
  const serve = async (port = 0) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TASK_SERVER_PORT: String(port) } });
    endings.push(() => child.kill('SIGKILL'));
    return { child, url: await new Promise<string>((done) => child.stderr.on('data', (text: Buffer) => /LISTEN (\S+)/.test(String(text)) && done(/LISTEN (\S+)/.exec(String(text))![1]!))) };
  };
  const served = over === 'http' ? await serve() : null;
  h.add('srv', served === null ? { kind: 'command', command: process.execPath, args } : { kind: 'http', url: `${served.url}/mcp` });
  expect(await h.pool.connect('srv')).toEqual({ state: 'ready' });
  const world = new World();
  world.secrets = [{ ref: 'r', value: 'tell-nobody-1234' }];
  const waits: number[] = [];
  const wait = (async (ms: number, signal: AbortSignal) => {
    // how long the wish to end a task waits for its answer: a loaded machine takes longer than that
    if (ms === 800) return new Promise<void>((done) => signal.addEventListener('abort', () => done()));
    waits.push(ms);
    if (more.quick) await new Promise((done) => setImmediate(done));
    else if (!signal.aborted) await new Promise((done) => setTimeout(done, 15));
    t.clock.pass(ms);
  });
  const settings = { ...DEFAULT_SETTINGS, callLimits: { ...DEFAULT_SETTINGS.callLimits, job_status: { ...DEFAULT_SETTINGS.callLimits.job_status, ...(more.followMs === undefined ? {} : { followMs: more.followMs }) } } };
  const t: TestLine = openTestLine(world, { pool: h.pool, wait: more.wait ?? wait, settings: () => settings });
  const call = async (name: string, of: { readonly tier?: Tier; readonly callClass?: CallClass; readonly line?: CallLine; readonly outputSchema?: unknown } = {}): Promise<Outcome> => {
    const capabilityId = world.tool({ name, tier: of.tier ?? 'high_write', ...(of.callClass ? { callClass: of.callClass } : {}), ...(of.outputSchema ? { outputSchema: of.outputSchema } : {}) });
    const waiting = (of.line ?? t.line).tryCall({ capabilityId, principal: 'user', input: {}, wait: true });
    await new Promise((done) => setImmediate(done));
    for (const a of t.line.approvals.list('pending')) void t.line.approvals.decide(a.id, 'approve', { by: 'me' });
    const outcome = await waiting;
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  };
  const said = (method: string): Said[] => readFileSync(recordFile, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Said).filter(({ message }) => message.method === method);
  const events = (runId: string) => t.store.read((db) => eventsOf(db, runId));
  const typesOf = (runId: string) => events(runId).map(({ type }) => type).filter((type) => type.startsWith('task.'));
  return { h, t, call, said, events, typesOf, waits, serve, served };
};
export type TaskLine = Awaited<ReturnType<typeof openTaskLine>>;
