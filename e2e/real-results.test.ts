import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CasePlay } from './support/case-play.ts';

const program = (name: string): string => fileURLToPath(new URL(`../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url));

let play: CasePlay;
let files: string;
beforeAll(async () => {
  play = new CasePlay();
  await play.start();
  files = join(play.folder, 'files');
  mkdirSync(files);
  // documents that speak of errors, as people have them
  writeFileSync(join(files, 'errors.md'), 'Error handling\n\nAn error occurred, they said. Permission denied means ...\n');
  writeFileSync(join(files, 'app.log'), ['2026-01-01 00:00:01 ERROR disk full', '2026-01-01 00:00:02 ERROR disk full', '2026-01-01 00:00:03 INFO ok'].join('\n'));
  writeFileSync(join(files, 'report.json'), JSON.stringify({ status: 'failed', tests: 12, failed: 3 }));
  writeFileSync(join(files, 'zh.md'), '错误代码一览：404 表示找不到。');
  writeFileSync(join(files, 'empty.txt'), '');
  for (const [serverId, args] of [['everything', []], ['memory', []], ['files', [files]]] as const) {
    await play.ask('servers:add', { serverId, spec: { kind: 'command', command: process.execPath, args: [program(`server-${serverId === 'files' ? 'filesystem' : serverId}`), ...args] }, ...(serverId === 'memory' ? { env: { MEMORY_FILE_PATH: join(play.folder, 'memory.jsonl') } } : {}) });
    await play.ask('servers:connect', { serverId });
  }
});
afterAll(() => play.end());

const at = (name: string): string => join(files, name);
const CALLS = (): readonly (readonly [string, string, unknown])[] => [
  ['everything', 'echo', { message: 'Error: as you asked' }], ['everything', 'get-sum', { a: 2, b: 3 }], ['everything', 'get-tiny-image', {}], ['everything', 'get-env', {}], ['everything', 'get-annotated-message', { messageType: 'success', includeImage: true }],
  ['everything', 'get-annotated-message', { messageType: 'debug' }], ['everything', 'get-resource-links', { count: 3 }], ['everything', 'get-resource-reference', { resourceType: 'Text', resourceId: 1 }], ['everything', 'get-structured-content', { location: 'New York' }], ['everything', 'toggle-simulated-logging', {}],
  ['memory', 'create_entities', { entities: [{ name: 'Error', entityType: 'word', observations: ['failed: often'] }] }], ['memory', 'read_graph', {}], ['memory', 'search_nodes', { query: 'nothing of the kind' }], ['memory', 'open_nodes', { names: ['Error'] }], ['memory', 'delete_entities', { entityNames: ['Error'] }],
  ['files', 'list_directory', { path: files }], ['files', 'directory_tree', { path: files }], ['files', 'read_text_file', { path: at('errors.md') }], ['files', 'read_text_file', { path: at('app.log') }], ['files', 'read_text_file', { path: at('report.json') }], ['files', 'read_text_file', { path: at('zh.md') }],
  ['files', 'read_text_file', { path: at('empty.txt') }], ['files', 'read_multiple_files', { paths: [at('errors.md'), at('app.log')] }], ['files', 'get_file_info', { path: at('zh.md') }], ['files', 'search_files', { path: files, pattern: '*.none' }], ['files', 'write_file', { path: at('new.txt'), content: 'Error: written' }],
  ['files', 'edit_file', { path: at('new.txt'), edits: [{ oldText: 'Error', newText: 'Failure' }] }], ['files', 'list_allowed_directories', {}],
];

test('RS32 no ordinary answer of the real servers at hand is suspected or left pending; their refusals are errors', async () => {
  const classes: string[] = [];
  for (const [serverId, name, input] of CALLS()) {
    const capabilityId = `mcp:${serverId}:tool:${name}`;
    await play.ask('capabilities:review', { capabilityId, tier: 'read_only', admit: true });
    const called = await play.ask('calls:try', { capabilityId, input, wait: true });
    classes.push(`${name} ${called.class}`);
    expect(['ok', 'ok_empty'], `${name} ${JSON.stringify(input)} ${JSON.stringify(called.fault ?? called.result?.content).slice(0, 300)}`).toContain(called.class);
  }
  expect(classes).toHaveLength(CALLS().length);
  expect(await play.ask('calls:try', { capabilityId: 'mcp:files:tool:read_text_file', input: { path: '/etc/none' }, wait: true })).toMatchObject({ class: 'tool_error', fault: { details: { category: 'permission' } } });
});
