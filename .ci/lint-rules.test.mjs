import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Each line breaks the rule that only main/network connects; the last ones look alike and are allowed. */
const PLANTS = {
  'main/servers/planted-fetch.ts': "export const a = () => fetch('https://x.example');\n",
  'main/market/planted-socket.ts': "export const a = () => new WebSocket('wss://x.example');\n",
  'renderer/features/planted/source.ts': "export const a = () => new EventSource('https://x.example');\n",
  'renderer/app/planted-request.ts': 'export const a = () => new XMLHttpRequest();\n',
  'shared/planted-default.ts': 'export const a = (ask = fetch) => ask;\n',
};
const ALLOWED = {
  'main/network/planted-own.ts': "export const a = (client: { fetch(url: string): unknown }) => client.fetch('https://x.example');\n",
  'main/servers/planted-named.ts': 'export const a = (fetch: () => void) => fetch();\n',
};

let folder;
let said;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-lint-'));
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [path, text] of Object.entries({ ...PLANTS, ...ALLOWED })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], { cwd: folder, encoding: 'utf8' });
  said = JSON.parse(stdout).diagnostics.filter(({ code }) => /no-restricted-globals/.test(code)).map(({ filename }) => filename.replaceAll('\\', '/'));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.keys(PLANTS))('NW21 planted: %s reaches out past main/network', (path) => {
  expect(said.filter((one) => one.endsWith(path))).toHaveLength(1);
});

test.each(Object.keys(ALLOWED))('NW21 allowed: %s', (path) => {
  expect(said.filter((one) => one.endsWith(path))).toEqual([]);
});
