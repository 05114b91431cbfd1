import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, type Host } from '../../main/host.ts';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';

/** A whole host in this process, over a data folder of its own, asked as a window that may decide. */
export class InProcess {
  readonly folder = mkdtempSync(join(tmpdir(), 'gantry-host-'));
  #host: Host | null = null;

  get host(): Host {
    return this.#host!;
  }

  #data = join(this.folder, 'data');

  async start(): Promise<void> {
    const created = await createHost({ dataDir: this.#data, shell: 'test', approvals: 'script' });
    if (!created.ok) throw new Error(created.error.message);
    this.#host = created.value;
  }

  async rpc<N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> {
    return (await this.host.handle(name, input, { kind: 'script', canDecide: true })) as Result<OutputOf<N>, Fault>;
  }

  /** The value, or an error that names the code. */
  async ask<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
    const answer = await this.rpc(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
    return answer.value;
  }

  /** A program beside this file's fixtures, connected and ready. */
  async serve(serverId: string, file: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.ask('servers:add', { serverId, spec: { kind: 'command', command: process.execPath, args: [file] }, env });
    const { state, code } = await this.ask('servers:connect', { serverId });
    if (state !== 'ready') throw new Error(`${serverId} is ${state} (${String(code)})`);
  }

  /** Reviews what the server offers as read only, so that it runs without asking. */
  async admitAll(serverId: string): Promise<void> {
    for (const { id, schemaState } of (await this.ask('capabilities:list', { serverId })).capabilities) if (schemaState !== 'excluded') await this.ask('capabilities:review', { capabilityId: id, tier: 'read_only', admit: true });
  }

  /** Another host over the data as they stand at this moment, as after a kill of the first. */
  async leaveAsKilled(): Promise<void> {
    const killed = join(this.folder, 'killed');
    cpSync(this.#data, killed, { recursive: true, filter: (path) => !/\.(lock|sock)$|host\.json$/.test(path) });
    await this.#host?.close();
    this.#data = killed;
    await this.start();
  }

  /** Closes as a person does, and begins anew over the same data. */
  async restart(): Promise<void> {
    await this.#host?.close();
    await this.start();
  }

  async end(): Promise<void> {
    await this.#host?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
