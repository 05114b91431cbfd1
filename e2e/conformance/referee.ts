import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const PACKAGE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance');
/** Without blanks: the referee cuts its command there. Relative to the project's folder. */
export const DRIVER = 'e2e/conformance/drive-client.ts';
const SCENARIO_LIMIT_MS = 120_000;

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Scenario {
  readonly name: string;
  /** why the referee does not score it; null where it does */
  readonly notScored: string | null;
}

/** What one scenario came to. `failing`: ids of the checks that failed or warned. */
export interface Played {
  readonly name: string;
  readonly passed: boolean;
  readonly failing: readonly string[];
  /** the driver said that it came to its end; a client that breaks off may look well behaved */
  readonly clientEnded: boolean;
  /** the driver's own account, and the referee's */
  readonly words: string;
}

/** The client's scenarios of a revision's frozen requirement set, in its order. */
export const scenariosOf = (revision: Revision): Scenario[] => {
  const set = load(readFileSync(join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8')) as { client: string[]; not_scored: { scenario: string; leg: string; reason: string }[] };
  return [...set.client.map((name) => ({ name, notScored: null })), ...set.not_scored.filter(({ leg }) => leg === 'client').map(({ scenario, reason }) => ({ name: scenario, notScored: reason }))];
};

interface Ran {
  readonly code: number | null;
  readonly words: string;
}

const run = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    let words = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (words += text));
    child.once('error', fail);
    child.once('close', (code) => {
      // at its time limit the referee ends the shell that it started, not the driver below
      try {
        if (process.platform !== 'win32') process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // nothing is left
      }
      done({ code, words });
    });
  });

/** The text of a file that the referee wrote somewhere below `folder`; empty where it wrote none. */
const written = (folder: string, name: string): string => {
  const path = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith(name));
  return path === undefined ? '' : readFileSync(join(folder, path), 'utf8');
};

/** Plays one scenario at a revision's wire. `nodeOptions` and `env` are for the driver. */
export const play = async (name: string, revision: Revision, { nodeOptions = [], env = {} }: { readonly nodeOptions?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {}): Promise<Played> => {
  const out = mkdtempSync(join(tmpdir(), 'gantry-conformance-'));
  try {
    const command = ['node', ...nodeOptions, DRIVER].join(' ');
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
    const { code, words } = await run([join(PACKAGE, 'dist/index.js'), 'client', '--command', command, '--scenario', name, '--spec-version', revision, '--force', '--timeout', String(SCENARIO_LIMIT_MS), '-o', out], { ...process.env, ...env, PATH: path });
    const checks = JSON.parse(written(out, 'checks.json') || '[]') as { id: string; status: string }[];
    const failing = [...new Set(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id))];
    const told = written(out, 'stdout.txt');
    const clientEnded = told.includes('"ended":true');
    const succeeded = checks.some(({ status }) => status === 'SUCCESS');
    return { name, passed: code === 0 && clientEnded && succeeded && failing.length === 0, failing, clientEnded, words: [told, written(out, 'stderr.txt'), words].join('\n') };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
};

/** Plays several, this many at a time; results in the order of the names. */
export const playAll = async (names: readonly string[], revision: Revision, atOnce: number, onPlayed: (played: Played) => void = () => {}): Promise<Played[]> => {
  const played: Played[] = [];
  const waiting = [...names.entries()];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const one = await play(next[1], revision);
        played[next[0]] = one;
        onPlayed(one);
      }
    }),
  );
  return played;
};
