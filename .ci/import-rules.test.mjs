import { createRequire } from 'node:module';
import { beforeAll, expect, test } from 'vitest';
import { checkImports, readProject } from './import-rules.mjs';
import { readImports } from './read-imports.mjs';

/** For each rule one file with one import that it forbids; `also` are further files the violation needs. */
const PLANTS = {
  'shared-is-pure': ['shared/planted.ts', "import { readFileSync } from 'node:fs';"],
  'renderer-knows-no-host': ['renderer/parts/planted-host.ts', "import type { Store } from '../../main/store/database.ts';"],
  'renderer-is-no-node': ['renderer/parts/planted-node.ts', "import { join } from 'node:path';"],
  'features-are-apart': ['renderer/features/planted-a/Page.tsx', "import { b } from '../planted-b/b.ts';\nexport const A = <T,>(x: T) => <p {...(b ? {} : { title: 'x' })}>{String(x)}</p>;", { 'renderer/features/planted-b/b.ts': 'export const b = 1;' }],
  'parts-know-no-store': ['renderer/parts/planted-store.ts', "import { s } from '../stores/planted.ts';", { 'renderer/stores/planted.ts': 'export const s = 1;' }],
  'stores-know-no-screen': ['renderer/stores/planted-screen.ts', "export * from '../features/planted-b/b.ts';"],
  'preload-is-thin': ['preload/planted.ts', "const fs = await import('node:fs');"],
  'window-carries-no-schemas': ['renderer/parts/planted-schema.ts', "import { TierSchema } from '../../shared/tier-schema.ts';"],
  'host-knows-no-window': ['main/planted-react.ts', "import { useState } from 'react';"],
  'electron-only-in-its-shell': ['main/servers/planted-electron.ts', "import { app } from 'electron';"],
  'host-knows-no-shell': ['main/calls/planted-shell.ts', "import { resolveDataDir } from '../shell/data-dir.ts';"],
  'sql-only-in-store': ['main/evidence/planted-sql.ts', "import Database from 'better-sqlite3';"],
  'node-sqlite-nowhere': ['main/store/planted-sqlite.ts', "import { DatabaseSync } from 'node:sqlite';"],
  'store-stands-alone': ['main/store/planted-up.ts', "import type { Log } from '../log.ts';"],
  'mcp-client-only-in-servers': ['main/calls/planted-client.ts', "import type { Client } from '@modelcontextprotocol/client';"],
  'mcp-server-only-in-gateway': ['main/servers/planted-server.ts', "import { McpServer } from '@modelcontextprotocol/server';"],
  'older-sdk-only-as-peer': ['main/servers/planted-sdk.ts', "import { Client } from '@modelcontextprotocol/sdk/client/index.js';"],
  'conformance-drives-servers-only': ['e2e/conformance/drive-client.ts', "import { createHarness } from '../../main/servers/pool-harness.fixture.ts';\nimport { Client } from '@modelcontextprotocol/client';"],
  'run-call-is-the-only-door': ['main/agent/planted-dispatch.ts', "import { dispatch } from '../calls/dispatch.ts';"],
  'one-way-out': ['main/servers/planted-client.ts', "import { request } from 'node:https';"],
  'clients-get-our-connections': ['main/servers/planted-pacote.ts', "const pacote = await import('pacote');"],
  'policy-only-decides': ['main/policy/planted-reach.ts', "import { readFileSync } from 'node:fs';"],
  'composed-once': ['main/requests/planted-compose.ts', "import { Secrets } from '../secrets/secrets.ts';"],
  'product-imports-no-test': ['main/planted-test-use.ts', "import { openTestStore } from './store/open-test-store.ts';"],
  'no-dev-dependency-in-product': ['main/planted-dev.ts', "import { build } from 'vite';"],
  'no-undeclared-package': ['main/planted-undeclared.ts', "import { Parser } from 'acorn';"],
  'no-unresolved-import': ['main/planted-nowhere.ts', "import { x } from './does-not-exist-anywhere.ts';"],
  'no-circle': ['main/planted-one.ts', "import { two } from './planted-two.ts';\nexport const one = () => two;", { 'main/planted-two.ts': "import { one } from './planted-one.ts';\nexport const two = () => one;" }],
};
/** What looks alike and is allowed: the rules bite no further than they say. */
const ALLOWED = {
  'main/planted-type-use.ts': "import type { Secrets } from './secrets/secrets.ts';\nexport type S = Secrets;",
  'main/planted-type-circle-a.ts': "import type { B } from './planted-type-circle-b.ts';\nexport type A = { b: B };",
  'main/planted-type-circle-b.ts': "import type { A } from './planted-type-circle-a.ts';\nexport type B = { a: A };",
  'main/network/planted-connect.ts': "import { connect } from 'node:net';\nexport { connect };",
  'main/servers/planted-socket-type.ts': "import type { Socket } from 'node:net';\nexport type S = Socket;",
  'main/store/planted-sql-use.ts': "import Database from 'better-sqlite3';\nexport { Database };",
  'main/servers/planted-client-use.ts': "import { Client } from '@modelcontextprotocol/client';\nexport { Client };",
};

let result;
beforeAll(async () => {
  const planted = { ...ALLOWED };
  for (const [path, text, also = {}] of Object.values(PLANTS)) Object.assign(planted, { [path]: text }, also);
  result = await checkImports(readProject(undefined, planted));
}, 120_000);

test('T10 every import rule has a planted violation', () => {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  expect(Object.keys(PLANTS).toSorted()).toEqual(forbidden.map(({ name }) => name).toSorted());
});

test.each(Object.keys(PLANTS))('T10 the rule %s bites its planted violation', (name) => {
  expect(result.violations.filter(({ rule, from }) => rule === name && from === PLANTS[name][0])).toHaveLength(1);
});

test('CF04: the driver of the official suite is read by its rule as it stands, and imports main/servers', () => {
  const path = PLANTS['conformance-drives-servers-only'][0];
  const imports = readImports(readProject().get(path), path).map(({ module }) => module);
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((module) => !module.startsWith('../../main/servers/'))).toEqual([]);
});

test.each(Object.keys(ALLOWED))('T10 %s is allowed', (path) => {
  expect(result.violations.filter(({ from }) => from === path)).toEqual([]);
});

test('T11 the modules are really read: TypeScript, TSX, and their imports', () => {
  expect(result.modules).toBeGreaterThan(50);
});

test('T11 imports of every kind are read, with what is a type alone', () => {
  const text = "import a from 'a';\nimport type { B } from 'b';\nimport { type C } from 'c';\nexport * from 'd';\nexport type { E } from 'e';\nconst f = () => import('f');\nlet g: import('g').G;\nconst h = <p>{require('h')}</p>;";
  expect(readImports(text, 'x.tsx').toSorted((x, y) => (x.module < y.module ? -1 : 1))).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((module) => ({ module, typeOnly: ['b', 'c', 'e', 'g'].includes(module) })),
  );
});
