import { expect, test } from 'vitest';
import { CapabilitySearch, type SearchedCapability } from './capability-search.ts';

const capability = (name: string, more: Partial<SearchedCapability> = {}): SearchedCapability => ({ id: `mcp:files:tool:${name}`, serverId: 'files', kind: 'tool', name, title: undefined, description: undefined, ...more });
const few = [
  capability('read_text_file', { description: 'Reads a file as text.' }),
  capability('listDirectory', { title: '列出文件夹' }),
  capability('send', { serverId: 'mail', description: 'Sends a letter; mentions read_text_file.' }),
];
const names = (found: readonly SearchedCapability[]): string[] => found.map(({ name }) => name);

test('R43 capabilities are found by beginnings and parts of names, by titles, servers and descriptions, with typos and in Chinese, the name first', async () => {
  const search = new CapabilitySearch({ version: 1, searched: () => ({ version: 1, all: few }) });
  expect(names(await search.find('read', 5))).toEqual(['read_text_file', 'send']);
  expect(names(await search.find('directory', 5))).toEqual(['listDirectory']);
  expect(names(await search.find('raed_text', 5))).toEqual(['read_text_file', 'send']);
  expect(names(await search.find('文件夹', 5))).toEqual(['listDirectory']);
  expect(names(await search.find('mail letter', 5))).toEqual(['send']);
  expect(names(await search.find('files', 1))).toEqual(['read_text_file']);
  expect(names(await search.find(' ', 5))).toEqual([]);
});

test('R43 what changed is searched as it is now, and while that is read the one before answers', async () => {
  let [version, all] = [1, few];
  const search = new CapabilitySearch({ get version() { return version; }, searched: () => ({ version, all }) });
  expect(names(await search.find('send', 5))).toEqual(['send']);
  [version, all] = [2, [...few, capability('send_later')]];
  expect(names(await search.find('send', 5))).toEqual(['send']);
  await expect.poll(async () => names(await search.find('send', 5))).toEqual(['send', 'send_later']);
});

test('R43 a registry that was read wrongly once is read again', async () => {
  let broken = true;
  const search = new CapabilitySearch({ version: 1, searched: () => { if (broken) throw new Error('gone'); return { version: 1, all: few }; } });
  await expect(search.find('send', 5)).rejects.toThrow('gone');
  broken = false;
  expect(names(await search.find('send', 5))).toEqual(['send']);
});
