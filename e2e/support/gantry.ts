import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askHost } from '../../main/shell/command-channel/ask-host.ts';
import { isBuilt } from '../../main/shell/setup.mjs';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/contract.ts';
import type { Fault } from '../../shared/fault.ts';
import type { Result } from '../../shared/result.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What `npm start` runs, where it is built from the sources as they stand (the ordinary run does); it starts in a fifth of the time. Else the sources. */
const program = join(root, isBuilt({ root, target: 'host' }) ? 'dist/host/serve.cjs' : 'main/serve.ts');
const START_TIMEOUT_MS = 120_000;
/** Compiled code of one start is the next one's, as it is for `npm start`. */
export const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'gantry-tests') };

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
    const child = spawn(process.execPath, [program, '--no-open', '--data-dir', this.dataDir, ...options], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...base, ...COMPILED, GANTRY_KEYCHAIN: 'off', ...env },
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
    const child = spawn(process.execPath, [join(root, 'main/command.ts'), '--data-dir', this.dataDir, ...words], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...COMPILED } });
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await new Promise((resolve) => child.once('close', resolve));
    return JSON.parse(text);
  }

  /** One request over the channel of the `gantry` command; through the command itself where no host runs. */
  async rpc<N extends RequestName>(name: N, input: InputOf<N>): Promise<Result<OutputOf<N>, Fault>> {
    const answer = (await askHost(this.dataDir, { kind: 'rpc', name, input })) ?? (await this.#command('rpc', name, JSON.stringify(input)));
    return answer as Result<OutputOf<N>, Fault>;
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
