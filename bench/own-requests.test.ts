import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSelectionWords } from '../main/agent/selection/assets.ts';
import { rankTools } from '../main/agent/selection/rank.ts';
import { ToolIndex } from '../main/agent/selection/tool-index.ts';
import { readOwnRequests } from './own-requests.ts';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const lines = (...all: readonly unknown[]): string => `${all.map((one) => JSON.stringify(one)).join('\n')}\n\n`;
const server = (name: string, requests: readonly object[] = []) => ({ server: name, about: 'x', tools: [{ name: 'find', description: 'Finds.', params: ['q'] }, { name: 'send' }], requests });

test('SE70 a server, its requests, a task and the groups of a file are read; what is none of them is told by its line', () => {
  const read = readOwnRequests(lines(server('a', [{ text: 'where is it', lang: 'en', style: 'direct', tools: ['find'] }]), server('b'), { task: { text: 'find and send', tools: ['a/find', 'b/send'] } }, { groups: [['a', 'c']] }));
  if ('why' in read) throw new Error(read.why);
  expect(read.set.tools.map(({ id }) => id)).toEqual(['a/find', 'a/send', 'b/find', 'b/send']);
  expect(read.set.tools[0]).toMatchObject({ server: 'a', name: 'find', description: 'Finds.', inputSchema: { properties: { q: {} } } });
  expect(read.set.queries).toEqual([{ id: 'a#0', text: 'where is it', relevant: ['a/find'] }, { id: 'task#0', text: 'find and send', relevant: ['a/find', 'b/send'] }]);
  expect(read.among('a#0')).toEqual(new Set(['a', 'c']));
  expect(read.among('task#0')).toBeNull();
  expect(read.remarks).toEqual([]);
  expect(readOwnRequests(lines(server('a', [{ text: 'x', tools: ['gone'] }])))).toMatchObject({ remarks: [expect.stringContaining('1 request')] });
  expect(readOwnRequests(`${lines(server('a')).trim()}\n{"tools":3}`)).toEqual({ why: 'line 2 is neither a server, nor a task, nor groups' });
  expect(readOwnRequests('{')).toEqual({ why: 'line 1 is not JSON' });
});

test('SE71 of the requests written for Gantry, the right tool is among the first five for at least 58 of 100, and first for 33', async () => {
  const words = await readSelectionWords(at('assets/selection'));
  const read = readOwnRequests(readFileSync(at('packaging/selection/own-requests/3.jsonl'), 'utf8'));
  if ('why' in read) throw new Error(read.why);
  expect(read.remarks).toEqual([]);
  const indexes = new Map<ReadonlySet<string> | null, ToolIndex>();
  // each seventh, for time
  const some = read.set.queries.filter(({ id }, place) => read.among(id) !== null && place % 7 === 0);
  const share = (k: number): number => {
    const found = some.map(({ id, text, relevant }) => {
      const among = read.among(id)!;
      let index = indexes.get(among);
      if (!index) {
        indexes.set(among, (index = new ToolIndex(words)));
        for (const tool of read.set.tools) if (among.has(tool.server)) index.add({ id: tool.id, serverId: tool.server, serverTitle: tool.server, definition: { name: tool.name, ...(tool.description ? { description: tool.description } : {}), inputSchema: tool.inputSchema } });
      }
      return rankTools(text, index, { count: k }).some((one) => relevant.includes(one.id));
    });
    return (100 * found.filter(Boolean).length) / found.length;
  };
  expect(some.length).toBeGreaterThan(250);
  expect([share(5), share(1)].map(Math.round)).toEqual([expect.toSatisfy((value: number) => value >= 58), expect.toSatisfy((value: number) => value >= 33)]);
});
