import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readSelectionWords } from './assets.ts';
import { rankTools } from './rank.ts';
import type { ToolText } from './tool-fields.ts';
import { ToolIndex } from './tool-index.ts';

const assets = fileURLToPath(new URL('../../../assets/', import.meta.url));
const words = await readSelectionWords(`${assets}selection`);
interface Observed {
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema?: unknown }[];
}
/** The tools that were observed at real servers. */
const TOOLS = readdirSync(`${assets}observed`).sort().flatMap((file) =>
  (JSON.parse(readFileSync(`${assets}observed/${file}`, 'utf8')) as Observed).tools.map(({ name, description, inputSchema }): ToolText => ({ id: `${file}/${name}`, serverId: file, serverTitle: file.replace('.json', ''), definition: { name, ...(description === undefined ? {} : { description }), inputSchema } })),
);
const REQUESTS = [
  'Show me all open issues of the repository', 'Delete the file with the old report', 'Which customers paid in March?', 'What is the weather in Lisbon tomorrow?', 'Search the web for the latest news on trains', '列出数据库里的所有表', '给安娜发送邮件',
  'Open the page of the shop, log in with my account, put the first result of a search for shoes into the cart, take a picture of the cart and send it to Anna by mail, then write down what it costs in a new file.',
];
const SAYING_NOTHING = ['the of and to', ''];
const indexOf = (tools: readonly ToolText[]): ToolIndex => {
  const index = new ToolIndex(words);
  for (const one of tools) index.add(one);
  return index;
};
const ranked = (request: string, index: ToolIndex, count: number) => rankTools(request, index, { count }).map(({ id, score }) => [id, score]);

test('SE45 the best of the top K are those of a look at every tool, with the same scores', () => {
  const index = indexOf(TOOLS);
  expect(TOOLS.length).toBeGreaterThan(200);
  for (const request of REQUESTS) {
    const every = ranked(request, index, TOOLS.length);
    expect(every).toHaveLength(TOOLS.length);
    expect(ranked(request, index, 256).slice(0, 20)).toEqual(every.slice(0, 20));
  }
});

test('SE45 what an index answered before, and what came and went, leaves no trace in what it answers', () => {
  const index = new ToolIndex(words);
  const servers = [...Map.groupBy(TOOLS, ({ serverId }) => serverId)];
  for (const [at, [, tools]] of servers.entries()) {
    for (const one of tools) index.add(one);
    if (at % 3 === 2) index.removeServer(servers[at - 1]![0]);
    ranked(REQUESTS[at % REQUESTS.length]!, index, 30);
  }
  const left = servers.filter((_, at) => at % 3 !== 1 || at + 1 >= servers.length).flatMap(([, tools]) => tools);
  const fresh = indexOf(left);
  expect(index.size).toBe(fresh.size);
  for (const request of [...REQUESTS, ...SAYING_NOTHING]) expect(ranked(request, index, 40)).toEqual(ranked(request, fresh, 40));
});

test('SE45 what comes before others is ranked wherever it stands', () => {
  const index = indexOf(TOOLS);
  const last = rankTools(REQUESTS[0]!, index, { count: TOOLS.length }).at(-1)!;
  const some = rankTools(REQUESTS[0]!, index, { count: 5, also: [last.id, 'nobody'] });
  expect(some).toHaveLength(6);
  expect(some.at(-1)).toMatchObject({ id: last.id, score: last.score });
});
