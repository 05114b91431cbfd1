import { expect, test } from 'vitest';
import { href, parseRoute, SETTINGS_SECTIONS } from './routes.ts';

test('U03 every address that is built is read back as the same place', () => {
  expect(parseRoute(href.market())).toEqual({ page: 'market', entryId: null });
  expect(parseRoute('')).toEqual({ page: 'market', entryId: null });
  expect(parseRoute(href.market(''))).toEqual({ page: 'market', entryId: null, filters: '' });
  expect(parseRoute(href.market('q=a%3F%23%26&kind=npm,remote'))).toEqual({ page: 'market', entryId: null, filters: 'q=a%3F%23%26&kind=npm,remote' });
  expect(parseRoute(href.marketEntry('environment'))).toEqual({ page: 'market', entryId: 'environment' });
  expect(parseRoute(href.addFromMarket('environment'))).toEqual({ page: 'add', from: 'market', entryId: 'environment' });
  expect(parseRoute(href.add('http'))).toEqual({ page: 'add', from: 'http', entryId: null });
  expect(parseRoute(href.servers())).toEqual({ page: 'servers' });
  for (const list of ['servers', 'capabilities', 'runs'] as const) for (const filters of ['', 'q=a%3F%23%26&state=ready']) expect(parseRoute(href[list](filters))).toEqual({ page: list, filters });
  expect(parseRoute(href.server('files-2'))).toEqual({ page: 'server', serverId: 'files-2' });
  expect(parseRoute(href.configure('files-2'))).toEqual({ page: 'configure', serverId: 'files-2' });
  expect(parseRoute(href.question('q/1'))).toEqual({ page: 'questions', questionId: 'q/1' });
  expect(parseRoute(href.questions())).toEqual({ page: 'questions', questionId: null });
  expect(parseRoute(href.agent())).toEqual({ page: 'agent', conversationId: null });
  expect(parseRoute(href.conversation('c1'))).toEqual({ page: 'agent', conversationId: 'c1' });
  expect(parseRoute(href.planner())).toEqual({ page: 'planner' });
  expect(parseRoute(href.planner('看看 a?b&c=d#e'))).toEqual({ page: 'planner', filters: 'q=%E7%9C%8B%E7%9C%8B+a%3Fb%26c%3Dd%23e' });
  expect(parseRoute(href.approval('a1'))).toEqual({ page: 'approvals', approvalId: 'a1' });
  expect(parseRoute(href.run('r1'))).toEqual({ page: 'run', runId: 'r1', invocationId: null });
  expect(parseRoute(href.call('r1', 'i/1'))).toEqual({ page: 'run', runId: 'r1', invocationId: 'i/1' });
  expect(parseRoute(href.settings())).toEqual({ page: 'settings', section: null });
  for (const section of SETTINGS_SECTIONS) expect(parseRoute(href.settings(section))).toEqual({ page: 'settings', section });
  expect(parseRoute(href.guide())).toEqual({ page: 'guide' });
  expect(parseRoute(href.help())).toEqual({ page: 'help', chapter: null, anchor: null });
  expect(parseRoute(href.help('facts'))).toEqual({ page: 'help', chapter: 'facts', anchor: null });
  expect(parseRoute(href.help('facts', 'the-funnel'))).toEqual({ page: 'help', chapter: 'facts', anchor: 'the-funnel' });
  expect(parseRoute('#/help/a/b/c').page).toBe('unknown');
  expect(parseRoute(href.link(null))).toEqual({ page: 'link', text: null });
  for (const text of ['gantry://market/a b?c=d#e', 'gantry:%zz/../..', `gantry://x?${'很'.repeat(8000)}`, '~gantry:']) expect(parseRoute(href.link(text))).toEqual({ page: 'link', text });
});

test.each(['mcp:files:tool:read', 'mcp:a:tool:b/c:d?e#f%', 'mcp:a:resource:file:///工具', 'mcp:a:tool:~tilde', 'mcp:a:tool:\ud800 lone'])(
  'U03 a capability id of any characters survives its address: %j',
  (capabilityId) => {
    expect(parseRoute(href.capability(capabilityId))).toEqual({ page: 'capability', capabilityId });
  },
);

test.each(['#/nowhere', '#/servers/a/b', '#/servers/a/configure/x', '#/add/else', '#/runs/%E0%A4%A', '#/settings/x', '#/settings/rules/x', '#/runs/a/b/c'])('U04 an unknown address is said to be unknown: %s', (hash) => {
  expect(parseRoute(hash).page).toBe('unknown');
});
