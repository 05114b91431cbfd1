import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** A Gantry of the loopback shell in its own process and data folder, driven as a person or a script would. */
export class Gantry {
  readonly dataDir: string;
  #child: ChildProcess | null = null;
  #address = '';

  constructor() {
    this.dataDir = mkdtempSync(join(tmpdir(), 'gantry-e2e-'));
  }

  /** Starts the host and returns the address with its one-time token. `base`: the environment it finds; a desktop gives a poor one. */
  async start(options: readonly string[] = [], env: Readonly<Record<string, string>> = {}, base: NodeJS.ProcessEnv = process.env): Promise<string> {
    const child = spawn(process.execPath, [join(root, 'main/serve.ts'), '--no-open', '--data-dir', this.dataDir, ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...base, GANTRY_KEYCHAIN: 'off', ...env },
    });
    this.#child = child;
    this.#address = await new Promise<string>((resolve, reject) => {
      let text = '';
      const timer = setTimeout(() => reject(new Error(`no address within ${START_TIMEOUT_MS} ms: ${text}`)), START_TIMEOUT_MS);
      const read = (chunk: Buffer): void => {
        text += chunk.toString('utf8');
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(text);
        if (!found) return;
        clearTimeout(timer);
        resolve(found[0]);
      };
      child.stdout!.on('data', read);
      child.stderr!.on('data', read);
      child.once('exit', (code) => reject(new Error(`the host ended with ${code}: ${text}`)));
    });
    return this.#address;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** SIGTERM is the person closing it; SIGKILL is the power going. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async #command(...words: readonly string[]): Promise<unknown> {
    const child = spawn(process.execPath, [join(root, 'main/command.ts'), '--data-dir', this.dataDir, ...words], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await new Promise((resolve) => child.once('close', resolve));
    return JSON.parse(text);
  }

  /** One request through the `gantry` command, as people script it. */
  async rpc<N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> {
    return (await this.#command('rpc', name, JSON.stringify(input))) as Result<OutputOf<N>, Fault>;
  }

  /** A `gantry:` link, as the desktop would hand it over. */
  async openLink(link: string): Promise<Result<unknown, Fault>> {
    return (await this.#command('open', link)) as Result<unknown, Fault>;
  }

  /** The value, or an error that names the code. */
  async ask<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
    const answer = await this.rpc(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
    return answer.value;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}
