import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { REVISIONS, scenariosOf } from './referee.ts';

const RUN = resolve(fileURLToPath(import.meta.url), '../run.ts');

const conformance = (...args: string[]): Promise<{ code: number; lines: string[] }> =>
  new Promise((done) => execFile(process.execPath, [RUN, ...args], (error, stdout) => done({ code: typeof error?.code === 'number' ? error.code : 0, lines: stdout.trim().split('\n') })));

test.each(REVISIONS)('CF01: the command plays all of %s, names each scenario and counts at the end', { timeout: 30 * 60_000 }, async (revision) => {
  const { code, lines } = await conformance('client', revision);
  const all = scenariosOf(revision);
  const scored = all.filter(({ notScored }) => notScored === null).length;
  expect(lines.filter((line) => !/^(?:passed|not yet) /.test(line))).toEqual([expect.stringMatching(new RegExp(`^client ${revision}: scored \\d+ of ${scored} passed, \\d+ not yet; not scored \\d+ of ${all.length - scored} passed, \\d+ not yet; 0 unexpected$`))]);
  for (const { name } of all) expect(lines.filter((line) => line.split(/ +|:/).includes(name)), name).toHaveLength(1);
  expect(code).toBe(0);
});
