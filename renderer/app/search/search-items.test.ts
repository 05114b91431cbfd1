import { expect, test } from 'vitest';
import { groupsOf, indexOf, withChoice, type SearchItem } from './search-items.ts';

const item = (id: string, label: string, more: Partial<SearchItem> = {}): SearchItem => ({ id, kind: id.split(' ', 1)[0] as SearchItem['kind'], label, detail: '', words: '', ...more });
const own = [
  item('page market', 'Market', { also: '市场' }),
  item('page settings', 'Settings', { also: '设置' }),
  item('section secrets', 'Secrets', { also: '密钥' }),
  item('server files', 'Filesystem', { words: 'files' }),
  item('server mail', 'Mail'),
  item('action stopAll', 'Stop all calls', { also: '停止所有调用' }),
  item('run r1', 'read files'),
];
const ofHost = [item('capability mcp:files:tool:read', 'read'), item('capability mcp:files:tool:read_text', 'read_text'), item('entry mailer', 'Mailer')];
const index = indexOf(own);
const find = (query: string, recent: readonly SearchItem[] = [], host: readonly SearchItem[] = []): string[][] => groupsOf({ query, own, index, ofHost: host, recent }).map(({ kind, items }) => [kind, ...items.map(({ id }) => id.slice(id.indexOf(' ') + 1))]);

test('U09 every kind is found by the beginnings and parts of its words, with a typo and in either language', () => {
  expect(find('secr')).toEqual([['section', 'secrets']]);
  expect(find('filesistem')).toEqual([['server', 'files']]);
  expect(find('设置')).toEqual([['page', 'settings']]);
  expect(find('ＭＡＲＫＥＴ')).toEqual([['page', 'market']]);
  expect(find('calls stop')).toEqual([['action', 'stopAll']]);
  expect(find('所有')).toEqual([['action', 'stopAll']]);
  expect(find('nothing of this')).toEqual([]);
});

test('U09 the kind whose name fits best comes first, then kinds in their order, then what the host found as it ranked it', () => {
  expect(find('mail', [], ofHost)[0]).toEqual(['server', 'mail']);
  expect(find('read', [], ofHost)).toEqual([['capability', 'mcp:files:tool:read', 'mcp:files:tool:read_text'], ['run', 'r1'], ['entry', 'mailer']]);
  expect(find('密钥', [], ofHost)[0]).toEqual(['section', 'secrets']);
  expect(find('files')).toEqual([['server', 'files'], ['run', 'r1']]);
});

test('U09 what was chosen lately comes first where nothing is typed, and before what fits as well where something is', () => {
  const chosen = [own[4]!, ofHost[1]!];
  expect(find('', chosen)[0]).toEqual(['recent', 'mail', 'mcp:files:tool:read_text']);
  expect(find('', chosen).find(([kind]) => kind === 'server')).toEqual(['server', 'files']);
  const two = [item('server a', 'Notes one'), item('server b', 'Notes two')];
  const order = (recent: readonly SearchItem[]): string[] => groupsOf({ query: 'notes', own: two, index: indexOf(two), ofHost: [], recent })[0]!.items.map(({ id }) => id);
  expect([order([]), order([two[1]!])]).toEqual([['server a', 'server b'], ['server b', 'server a']]);
});

test('U09 a choice is remembered once, the last eight are kept, and a long name is cut whole', () => {
  let recent: { id: string; label: string }[] = [];
  for (let at = 0; at < 12; at += 1) recent = withChoice(recent, item(`server ${at}`, `${'x'.repeat(199)}😀`));
  recent = withChoice(recent, item('server 7', 'seven'));
  expect(recent.map(({ id }) => id)).toEqual(['7', '11', '10', '9', '8', '6', '5', '4'].map((at) => `server ${at}`));
  expect(recent.every(({ label }) => label.isWellFormed() && label.length <= 200)).toBe(true);
});
