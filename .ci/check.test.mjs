import { expect, test } from 'vitest';
import { checkFiles } from './check.mjs';

const join = (...parts) => parts.join('');
const complaintsOf = (path, text = 'export const a = 1;\n') => checkFiles([[path, text]]);

test.each([
  ['a file over 400 lines', 'main/long.ts', 'a();\n'.repeat(401), '401 lines'],
  ['utils', 'main/calls/utils.ts', undefined, 'says nothing'],
  ['a name ending in helpers', 'main/calls/call-helpers.test.ts', undefined, 'says nothing'],
  ['a folder of common things', 'renderer/common/a.ts', undefined, 'says nothing'],
  ['a Manager', 'renderer/app/ServerManager.tsx', undefined, 'says nothing'],
  ['types.ts', 'shared/types.ts', undefined, 'noun'],
  ['a barrel', 'renderer/parts/index.ts', undefined, 'barrel'],
  ['SQL outside the store', 'main/calls/plan.ts', 'db.get(`SELECT * FROM runs`);\n', 'SQL'],
  ['a registry host', 'package-lock.json', join('"resolved": "https://registry.np', 'mjs.org/a.tgz"'), 'registry host'],
  ['a path of one machine', 'docs/guide.md', join('see /wor', 'k/main/a\n'), 'one machine'],
  ['an unfinished marker', 'main/a.ts', join('// TO', 'DO later\n'), 'unfinished'],
  ['a promise instead of code', 'main/a.ts', join("throw new Error('not imple", "mented');\n"), 'unfinished'],
  ['a test that shuts out the others', 'main/a.test.ts', join("test.on", "ly('S01 a', () => {});\n"), 'shuts out'],
  ['a connection by the global object', 'main/a.ts', join('await globalThis.fet', "ch('https://x.example');\n"), 'past main/network'],
  ['a character that turns text', 'main/a.ts', 'const a = "\u202e";\n', 'hides or turns'],
])('T22 planted: %s', (_what, path, text, complaint) => {
  expect(complaintsOf(path, text)).toEqual([expect.stringContaining(complaint)]);
});

test.each([
  ['400 lines', 'main/long.ts', 'a();\n'.repeat(400)],
  ['SQL in the store', 'main/store/runs.ts', 'db.get(`SELECT * FROM runs`);\n'],
  ['a sentence', 'main/a.ts', "log('select a tool from the list');\n"],
  ['a page of HTML', 'renderer/index.html', '<!doctype html>\n'],
  ['a word that holds another', 'renderer/features/servers/ServicePage.tsx', undefined],
  ['a path within the project', 'docs/a.md', 'docs/work/a.md, ./work/x\n'],
])('T22 allowed: %s', (_what, path, text) => {
  expect(complaintsOf(path, text)).toEqual([]);
});
