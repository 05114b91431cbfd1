import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { basename, delimiter, isAbsolute } from 'node:path';

export const LOGIN_PATH_LIMIT_MS = 5000;
const OUTPUT_CAP_BYTES = 1024 * 1024;

/** Folders in order of first appearance, without repeats; only absolute ones. */
export const mergePaths = (...paths: readonly (string | undefined)[]): string => {
  const seen = new Set<string>();
  for (const path of paths) for (const folder of (path ?? '').split(delimiter)) if (isAbsolute(folder)) seen.add(folder);
  return [...seen].join(delimiter);
};

/** The text between the two marks: what the shell's start-up files print before, between or after does not count. */
export const pathBetweenMarks = (output: string, mark: string): string | null => {
  const open = `<${mark}>`;
  const close = `</${mark}>`;
  const end = output.lastIndexOf(close);
  const start = end < 0 ? -1 : output.lastIndexOf(open, end);
  if (start < 0) return null;
  const value = output.slice(start + open.length, end);
  return value.includes('\n') || value.includes('\0') || value === '' ? null : value;
};

const loginShell = (): string => {
  const named = process.env['SHELL'];
  if (named !== undefined && isAbsolute(named)) return named;
  try {
    return userInfo().shell ?? '/bin/sh';
  } catch {
    return '/bin/sh';
  }
};

const markOf = (mark: string, variable: string): string => `${mark}-${variable}`;

/** Login and interactive where the shell knows it: version managers write into either kind of start-up file. PATH comes last: when it is there, all is. */
const shellArguments = (shell: string, mark: string, variables: readonly string[]): string[] => {
  const name = basename(shell);
  // to standard output and to a descriptor of its own: start-up files may have moved either away (`exec 1>&2`, `exec >log`)
  const print3 = (words: string): string => `{ ${words} >&3; } 2>/dev/null; ${words}`;
  const printed = (key: string, value: string): string => print3(`printf '<${key}>%s</${key}>' ${value}`);
  const others = variables.map((variable) => `${printed(markOf(mark, variable), `"$${variable}"`)}; `).join('');
  if (name === 'fish') return ['-l', '-i', '-c', `${variables.map((variable) => `printf '<${markOf(mark, variable)}>%s</${markOf(mark, variable)}>' "$${variable}"; `).join('')}printf '<${mark}>%s</${mark}>' (string join ':' $PATH)`];
  const print = `${others}${printed(mark, '"$PATH"')}`;
  if (name === 'bash' || name === 'zsh' || name === 'ksh') return ['-l', '-i', '-c', print];
  return ['-l', '-c', print];
};

interface AskShell {
  readonly shell?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly limitMs?: number;
}

/** PATH as the user's login shell sees it, or null: no such shell, no answer within the limit, nothing usable. Never throws. */
export const readLoginPath = async (options: AskShell = {}): Promise<string | null> => (await readLoginVariables([], options))?.get('PATH') ?? null;

/**
 * PATH and other variables as the user's login shell sees them, without those that are empty; null as of `readLoginPath`. The shell and its children are gone
 * when this returns. It runs in its own process group and session, without a terminal. `variables` are plain names.
 */
export const readLoginVariables = (variables: readonly string[], options: AskShell = {}): Promise<ReadonlyMap<string, string> | null> => {
  if (process.platform === 'win32') return Promise.resolve(null);
  const shell = options.shell ?? loginShell();
  if (!existsSync(shell)) return Promise.resolve(null);
  const mark = `gantry-path-${randomUUID()}`;
  return new Promise((resolve) => {
    const child = spawn(shell, shellArguments(shell, mark, variables), { env: { ...(options.env ?? process.env), GANTRY_READS_PATH: '1' }, stdio: ['ignore', 'pipe', 'ignore', 'pipe'], detached: true });
    const answers = [child.stdout, child.stdio[3]] as readonly Readable[];
    const outputs = ['', ''];
    let done = false;
    const finish = (): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      for (const answer of answers) answer.destroy();
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // the group is gone already
        }
      }
      const output = outputs.find((one) => one.includes(`</${mark}>`)) ?? '';
      const path = pathBetweenMarks(output, mark);
      const found = variables.map((variable) => [variable, pathBetweenMarks(output, markOf(mark, variable))] as const).filter((pair): pair is readonly [string, string] => pair[1] !== null);
      resolve(path === null ? null : new Map([...found, ['PATH', path]]));
    };
    const timer = setTimeout(finish, options.limitMs ?? LOGIN_PATH_LIMIT_MS);
    for (const [at, answer] of answers.entries()) {
      answer.on('data', (chunk: Buffer) => {
        if (outputs[at]!.length < OUTPUT_CAP_BYTES) outputs[at] += chunk.toString('utf8');
        if (outputs[at]!.includes(`</${mark}>`)) finish();
      });
    }
    child.once('error', finish);
    child.once('close', finish);
  });
};

const BARE: ReadonlySet<string> = new Set(['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/local/sbin', '/usr/games', '/usr/local/games', '/snap/bin', '/opt/homebrew/bin']);

/** A PATH without anything of the user's own: a desktop started this program, and no shell's start-up file was read. */
export const isBarePath = (path: string): boolean => path.split(delimiter).every((folder) => folder === '' || BARE.has(folder));

/** A look-up that failed stands for this long. */
const ASK_AGAIN_MS = 30_000;

/** PATH of a child: the host's own, then what the login shell adds; the shell is asked once, and only when somebody needs it (C001). */
export class SearchedPath {
  readonly #hostPath: string;
  readonly #read: () => Promise<string | null>;
  readonly #askAgainMs: number;
  #asked: Promise<string> | null = null;
  #failedAt: number | null = null;
  #merged: string;

  constructor(hostPath: string, read: () => Promise<string | null> = () => readLoginPath(), askAgainMs = ASK_AGAIN_MS) {
    this.#hostPath = hostPath;
    this.#read = read;
    this.#askAgainMs = askAgainMs;
    this.#merged = mergePaths(hostPath);
  }

  /** What is known now, without asking. */
  get current(): string {
    return this.#merged;
  }

  /** A desktop starts programs with the bare system path. */
  get looksBare(): boolean {
    return isBarePath(this.#hostPath);
  }

  withLoginShell(): Promise<string> {
    // a shell that hung once, on a busy machine say, is asked again later
    if (this.#failedAt !== null && performance.now() - this.#failedAt > this.#askAgainMs) {
      this.#asked = null;
      this.#failedAt = null;
    }
    this.#asked ??= this.#read().then((login) => {
      if (login === null) this.#failedAt = performance.now();
      // the shell's order wins: it is what the user sees in a terminal
      this.#merged = mergePaths(login ?? undefined, this.#hostPath);
      return this.#merged;
    });
    return this.#asked;
  }
}
