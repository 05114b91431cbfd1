import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { fault, type Fault } from '../../shared/fault.ts';
import { FrameReader } from './frame-reader.ts';
import { LARGE_FRAME_BYTES, type FrameLane } from './frame-lane.ts';
import { frozenIn, spliceFrozen } from './frozen-arguments.ts';
import { readFrame } from './incoming-frame.ts';
import type { Masker } from '../secrets/mask.ts';
import { InOrder } from './in-order.ts';
import { passedPart, readLarge, type RoutedPart } from './large-frame.ts';
import type { Inbound } from './inbound.ts';
import type { Ledger } from './ledger.ts';
import { LineSplitter } from './line-splitter.ts';
import { STOP_LADDER, stopGroup, type StopLadder } from './process-group.ts';
import { TOKEN_NAME } from './process-identity.ts';
import { planSpawn } from './spawn-plan.ts';
import { strayHolders } from './token-holders.ts';

export interface StdioEvents {
  stderrLine(text: string): void;
  /** a line on stderr that is not finished yet, as it stands: progress is often drawn so */
  stderrPart(text: string): void;
  /** a line on standard output that is no message (F01, F02) */
  junkLine(text: string): void;
  /** the server may not go on: its fault; the transport stops it by itself */
  broken(why: Fault): void;
  /** the process is there */
  spawned(pid: number): void;
  exited(code: number | null, signal: NodeJS.Signals | null): void;
}

export interface StdioOptions {
  /** absolute file */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly frameCapBytes?: number;
  /** tells where a line of stderr may be cut or shown before its end */
  readonly secrets?: Pick<Masker, 'unfinishedAt'>;
  readonly ladder?: StopLadder;
  /** reads large frames in worker threads; without it they are read in place */
  readonly frames?: FrameLane | undefined;
}

/** Bytes that may wait for a server which does not read its input; more is refused before it is sent (F25). */
const QUEUE_CAP_BYTES = 32 * 1024 * 1024;
/** Bytes of frames that may wait behind a large one; then the server has to wait. */
const WAITING_CAP_BYTES = 64 * 1024 * 1024;

/**
 * A server process as a transport of the SDK's client: its own process group, capped frames, stderr always drained, frozen arguments spliced in byte for byte.
 * `pid` and `stderr` tell the SDK that this is stdio, so that it probes in place; it is not the SDK's own class, so that no sibling process is started.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly stderr = null;
  readonly #options: StdioOptions;
  readonly #ledger: Ledger;
  readonly #events: StdioEvents;
  readonly #order = new InOrder((sizeBytes) => this.#pace(sizeBytes));
  #inbound: Inbound | null = null;
  #child: ChildProcessWithoutNullStreams | null = null;
  #exited = false;
  #closing: Promise<boolean> | null = null;
  #closed = false;
  /** it ended, and an answer that it gave before is still read */
  #draining = false;

  constructor(options: StdioOptions, ledger: Ledger, events: StdioEvents) {
    this.#options = options;
    this.#ledger = ledger;
    this.#events = events;
  }

  attach(inbound: Inbound): void {
    this.#inbound = inbound;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get hasExited(): boolean {
    return this.#exited;
  }

  /** Bytes written that the process has not taken yet. */
  get queuedBytes(): number {
    return this.#child?.stdin.writableLength ?? 0;
  }

  start(): Promise<void> {
    const { file, args, cwd, env } = this.#options;
    const plan = planSpawn(file, args, process.platform, process.env['COMSPEC']);
    return new Promise((resolve, reject) => {
      let child: ChildProcess;
      try {
        child = spawn(plan.file, [...plan.args], {
          cwd,
          env,
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: process.platform !== 'win32',
          windowsHide: true,
          shell: false,
          windowsVerbatimArguments: plan.windowsVerbatimArguments,
        });
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      child.once('error', (error) => {
        if (child.pid === undefined) {
          reject(error);
          this.#finish();
        } else this.onerror?.(error);
      });
      child.once('spawn', () => {
        this.#events.spawned(child.pid!);
        resolve();
      });
      this.#child = child as ChildProcessWithoutNullStreams;
      if (child.pid !== undefined) this.#listen(this.#child);
    });
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const reader = new FrameReader({
      ...(this.#options.frameCapBytes === undefined ? {} : { capBytes: this.#options.frameCapBytes }),
      onFrame: (bytes) => this.#frame(bytes),
      onPassed: (frame) => this.#order.add(0, () => this.#take(passedPart(frame))),
      onTooLarge: (sizeBytes) => {
        child.stdout.destroy();
        this.#break(fault('frame_too_large', `The server sent one message of more than ${Math.floor(sizeBytes / 1024 / 1024)} MiB; it was stopped.`, { remedy: 'Ask it for less at once.', details: { sizeBytes } }));
      },
    });
    const lines = new LineSplitter((text) => this.#events.stderrLine(text), undefined, this.#options.secrets);
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    child.stdout.on('error', () => {});
    child.stderr.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      if (lines.unfinished !== '') this.#events.stderrPart(lines.unfinished);
    });
    child.stderr.on('error', () => {});
    child.stdin.on('error', () => {});
    child.once('exit', (code, signal) => {
      this.#exited = true;
      this.#events.exited(code, signal);
      // what the server wrote before it ended is still in the pipe; a grandchild may hold the pipe open for ever
      const patience = setTimeout(() => this.#ended(lines, reader), 500);
      child.once('close', () => {
        clearTimeout(patience);
        this.#ended(lines, reader);
      });
    });
  }

  #ended(lines: LineSplitter, reader: FrameReader): void {
    lines.end();
    const lost = reader.end();
    if (lost > 0) this.#events.junkLine(`(${lost} bytes of an unfinished line at the end)`);
    // the leader left: its helpers go too (P04)
    void this.close();
    // an answer that came before the end is still read
    this.#draining = !this.#order.isIdle;
    if (this.#draining) void this.#order.idle().then(() => this.#finish());
    else this.#finish();
  }

  #frame(bytes: Buffer): void {
    const { frames } = this.#options;
    if (bytes.length > LARGE_FRAME_BYTES && frames !== undefined) {
      this.#order.add(bytes.length, async () => {
        for (const part of await readLarge(bytes, frames, this.#ledger)) this.#take(part);
      });
    } else if (this.#order.isIdle) for (const part of readFrame(bytes)) this.#take(part);
    else this.#order.add(bytes.length, () => readFrame(bytes).forEach((part) => this.#take(part)));
  }

  #take(part: RoutedPart): void {
    if (part.kind === 'junk') return this.#events.junkLine(part.text);
    const forSdk = (part.kind === 'unreadable' ? this.#inbound?.unreadable(part) : this.#inbound?.take(part.message, part)) ?? null;
    if (forSdk !== null) this.onmessage?.(forSdk as unknown as JSONRPCMessage);
  }

  #pace(waitingBytes: number): void {
    const stdout = this.#child?.stdout;
    if (stdout === undefined) return;
    if (waitingBytes > WAITING_CAP_BYTES) stdout.pause();
    else if (stdout.isPaused()) stdout.resume();
  }

  #break(why: Fault): void {
    this.#events.broken(why);
    void this.close();
    this.#finish();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.sendRaw(message as unknown as Readonly<Record<string, unknown>>);
  }

  sendRaw(message: Readonly<Record<string, unknown>>): Promise<void> {
    const child = this.#child;
    if (child === null || this.#exited || this.#closing !== null || !child.stdin.writable) return Promise.reject(new Error('The server is not running.'));
    if (child.stdin.writableLength > QUEUE_CAP_BYTES) return Promise.reject(new Error('The server does not read its input.'));
    const frozen = frozenIn(message);
    const json = JSON.stringify(message);
    const line = frozen === null ? json : spliceFrozen(json, frozen);
    this.#inbound?.sending(message);
    this.#ledger.sent(message);
    frozen?.written();
    child.stdin.write(`${line}\n`);
    return Promise.resolve();
  }

  /** The ladder of P03; the same promise for everybody who asks. Resolves false when something survived. */
  stop(): Promise<boolean> {
    const child = this.#child;
    if (this.#closing !== null) return this.#closing;
    if (child === null || child.pid === undefined) return Promise.resolve(true);
    const token = this.#options.env[TOKEN_NAME];
    const leaderPid = child.pid;
    const group = { leaderPid, closeInput: () => child.stdin.end(), leaderHasExited: () => this.#exited, ...(token === undefined ? {} : { strays: () => strayHolders(token, leaderPid) }) };
    this.#closing = stopGroup(group, this.#options.ladder ?? STOP_LADDER).then((gone) => {
      child.stdout.destroy();
      child.stderr.destroy();
      if (!this.#draining) this.#finish();
      return gone;
    });
    return this.#closing;
  }

  async close(): Promise<void> {
    await this.stop();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
