import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';
import type { ModelScript } from '../fixtures/model/scripted-model.ts';
import { processesWith, until } from './census.ts';
import { Gantry } from './gantry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PLAYER = join(root, 'e2e/fixtures/fake-server.mjs');
const CASES_FILE = join(process.env['GANTRY_SHARED'] ?? resolve(root, '../shared'), 'cases/cases.json');

/** Without ../shared there are no cases to play; the tests say that they are skipped. */
export const hasCases = existsSync(CASES_FILE);
export const CASES_SKIPPED = '(skipped where ../shared/cases is absent)';

export interface CaseEvent {
  readonly t: number;
  readonly pid: number;
  readonly ev: string;
  readonly text?: string;
  readonly argv?: readonly string[];
  readonly msg?: { readonly method?: string; readonly id?: unknown; readonly params?: Readonly<Record<string, unknown>>; readonly result?: unknown; readonly error?: { readonly code: number } };
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Scenario {
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly [key: string]: unknown;
}

interface Reproduction {
  readonly servers: Record<string, Scenario>;
  readonly model?: ModelScript;
}
export const reproductionOf = (caseId: string): Reproduction => (JSON.parse(readFileSync(CASES_FILE, 'utf8')) as { id: string; reproduction: Reproduction }[]).find((c) => c.id === caseId)!.reproduction;

/** The scenario of a case's server, as ../shared/cases has it. */
export const scenarioOf = (caseId: string, server = 'srv'): Scenario => reproductionOf(caseId).servers[server]!;

/** A case played against the whole product: a host in its own process, asked as the `gantry` command asks it, with scripted servers that keep their record. */
export class CasePlay {
  readonly gantry = new Gantry();
  readonly folder = mkdtempSync(join(tmpdir(), 'gantry-case-'));
  readonly #endpoints: ChildProcess[] = [];

  async start(env: Readonly<Record<string, string>> = {}, base?: NodeJS.ProcessEnv): Promise<void> {
    await this.gantry.start(['--approvals=script'], env, base);
  }

  rpc<N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> {
    return this.gantry.rpc(name, input);
  }

  ask<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
    return this.gantry.ask(name, input);
  }

  /** The line that starts the scripted server of a case, or of a scenario of the same kind. */
  playerLine(serverId: string, scenario: string | Scenario, server = 'srv'): string[] {
    if (typeof scenario === 'string') return [process.execPath, PLAYER, CASES_FILE, scenario, server];
    const file = join(this.folder, `${serverId}.cases.json`);
    writeFileSync(file, JSON.stringify([{ id: 'X', reproduction: { servers: { srv: scenario } } }]));
    return [process.execPath, PLAYER, file, 'X', 'srv'];
  }

  /** An executable script in a folder of the case; its text is a shell's. */
  script(name: string, text: string): string {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  async add(serverId: string, scenario: string | Scenario, options: { readonly server?: string; readonly command?: string; readonly args?: readonly string[]; readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {}): Promise<void> {
    const [command = '', ...args] = options.command === undefined ? this.playerLine(serverId, scenario, options.server) : [options.command];
    await this.ask('servers:add', {
      serverId,
      spec: { kind: 'command', command, args: [...args, ...(options.args ?? [])], ...(options.cwd === undefined ? {} : { cwd: options.cwd }) },
      env: { FAKE_MCP_RECORD: this.#recordFile(serverId), ...options.env },
    });
  }

  /** The scripted endpoint of a case, as a server. Resolves when it is added; it listens until the end of the case. */
  async addRemote(serverId: string, scenario: string | Scenario, server = 'srv'): Promise<void> {
    const [command = '', ...args] = this.playerLine(serverId, scenario, server);
    const child = spawn(command, args, { env: { ...process.env, FAKE_MCP_RECORD: this.#recordFile(serverId) }, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#endpoints.push(child);
    let said = '';
    const base = await new Promise<string>((resolve) => child.stderr!.on('data', (chunk: Buffer) => {
      said += String(chunk);
      const found = /LISTEN (\S+)/.exec(said);
      if (found) resolve(found[1]!);
    }));
    await this.ask('servers:add', { serverId, spec: { kind: 'http', url: `${base}/mcp` } });
  }

  /** A call that a script approves where it asks; its outcome, and how long it took from the approval. */
  async call(serverId: string, tool: string, input: Readonly<Record<string, unknown>>) {
    const tried = await this.ask('calls:try', { capabilityId: `mcp:${serverId}:tool:${tool}`, input, wait: false });
    const begun = performance.now();
    if (tried.approvalId) await this.ask('approvals:decide', { approvalId: tried.approvalId, decision: 'approve' });
    await until('the call ended', async () => ['completed', 'failed'].includes((await this.ask('calls:get', { invocationId: tried.invocationId })).invocation.state));
    const tookMs = performance.now() - begun;
    return { ...(await this.ask('calls:get', { invocationId: tried.invocationId })).invocation, tookMs };
  }

  /** Requests and notifications of one method, as the server received them. */
  received(serverId: string, method: string): CaseEvent[] {
    return this.records(serverId).filter((event) => event.msg?.method === method);
  }

  async server(serverId: string) {
    return (await this.ask('servers:get', { serverId })).server;
  }

  /** The try-out of `echo`, which was reviewed as read only; the text that came back. */
  async echo(serverId: string, text = 'hi'): Promise<string> {
    const capabilityId = `mcp:${serverId}:tool:echo`;
    await this.ask('capabilities:review', { capabilityId, tier: 'read_only', admit: true });
    const called = await this.ask('calls:try', { capabilityId, input: { text }, wait: true });
    expect(called).toMatchObject({ state: 'completed', class: 'ok' });
    return String((called.result!.content[0] as { text?: unknown }).text);
  }

  records(serverId: string): CaseEvent[] {
    const file = this.#recordFile(serverId);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as CaseEvent) : [];
  }

  starts(serverId: string): CaseEvent[] {
    return this.records(serverId).filter((event) => event.ev === 'start');
  }

  /** Live processes of a server, helpers among them: they inherit its environment. */
  live(serverId: string): number[] {
    return processesWith(this.#recordFile(serverId));
  }

  async becomes(serverId: string, state: string, timeoutMs = 90_000): Promise<void> {
    await until(`${serverId} is ${state}`, async () => (await this.server(serverId)).state === state, timeoutMs);
  }

  /** Ends the host as a quit does; nothing of any server may be left. */
  async end(): Promise<void> {
    await this.gantry.stop();
    for (const child of this.#endpoints.splice(0)) child.kill('SIGKILL');
    await until('no process of a server is left', () => processesWith(this.folder).length === 0);
    await this.gantry.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #recordFile(serverId: string): string {
    return join(this.folder, `${serverId}.record`);
  }
}
