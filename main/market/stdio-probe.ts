import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ProbeTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProbeAnswer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Probe {
  /** One JSON-RPC request; rejects when the process ends or 60 s pass. */
  request(method: string, params?: object): Promise<ProbeAnswer>;
  notify(method: string, params?: object): void;
  /** A line as it is; the next line the server writes. For malformed input. */
  raw(line: string): Promise<unknown>;
  /** Ends input, then kills what is left after 2 s; gives exit code and the last of stderr. */
  close(): Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
}

const ANSWER_LIMIT_MS = 60_000;

/**
 * Talks to a stdio server in bare JSON-RPC, with no SDK in between: for checking the catalog and our own server, not for the product's calls.
 * Requests of the server are answered: `roots/list` with nothing, all others with -32601.
 */
export const openProbe = (target: ProbeTarget): Probe => {
  const child = spawn(target.command, [...target.args], { cwd: target.cwd, env: { ...target.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const open = new Map<number, (answer: ProbeAnswer) => void>();
  const failures = new Map<number, (error: Error) => void>();
  let rawWaiting: ((message: unknown) => void) | null = null;
  let stderr = '';
  let nextId = 1;
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-4_000);
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
  void ended.then(() => {
    for (const fail of failures.values()) fail(new Error(`the server ended: ${stderr.slice(-500)}`));
  });
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    let message: { id?: unknown; method?: unknown } & ProbeAnswer;
    try {
      message = JSON.parse(line) as typeof message;
    } catch {
      return;
    }
    if (typeof message.method === 'string') {
      if (message.id === undefined) return;
      write(message.method === 'roots/list' ? { jsonrpc: '2.0', id: message.id, result: { roots: [] } } : { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
      return;
    }
    const settle = open.get(message.id as number);
    if (settle) settle(message);
    else rawWaiting?.(message);
  });
  return {
    request: (method, params) =>
      new Promise<ProbeAnswer>((resolve, reject) => {
        const id = nextId++;
        const timer = setTimeout(() => reject(new Error(`no answer to ${method} within ${ANSWER_LIMIT_MS} ms`)), ANSWER_LIMIT_MS);
        open.set(id, resolve);
        failures.set(id, reject);
        write({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
        const done = (): void => {
          clearTimeout(timer);
          open.delete(id);
          failures.delete(id);
        };
        ended.then(done, done);
        open.set(id, (answer) => {
          done();
          resolve(answer);
        });
      }),
    notify: (method, params) => write({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }),
    raw: (line) =>
      new Promise((resolve) => {
        rawWaiting = resolve;
        child.stdin.write(`${line}\n`);
      }),
    close: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
      const exitCode = await ended;
      clearTimeout(timer);
      return { exitCode, stderr };
    },
  };
};
