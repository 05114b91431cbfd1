import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestWordsOf } from '../../agent/selection/request-words-of.ts';
import { Catalog } from '../catalog.ts';
import { readMarketRequest, type RequestWords } from './market-request.ts';

const assets = fileURLToPath(new URL('../../../assets', import.meta.url));
const words = requestWordsOf(join(assets, 'selection'));
const open = (known?: RequestWords, onProblem?: (problem: { readonly file: string }) => void): Catalog =>
  new Catalog({ dir: join(assets, 'catalog'), observedDir: join(assets, 'observed'), ...(known ? { words: known } : {}), ...(onProblem ? { onProblem } : {}) });
const catalog = open(words);
const find = async (query: string, among = catalog): Promise<string[]> => (await among.search({ query, facets: {}, sort: 'best' })).entries.map(({ id }) => id);

test.each([
  ['read my files', 'filesystem', 3],
  ['I want to read files in a folder', 'filesystem', 3],
  ['what time is it in Tokyo', 'time', 3],
  ['please help me remember things between sessions', 'memory', 3],
  ['fetch a web page and turn it into text', 'fetch', 3],
  ['I would like to control my browser', 'playwright', 5],
  ['extract text from a PDF', 'pdf-reader', 3],
  ['draw a chart from my data', 'antv-chart', 3],
  ['send a message to my Slack channel', 'slack', 3],
  ['run SQL queries on my database', 'mysql', 5],
  ['check the weather in Beijing', 'amap', 3],
  ['show me my commit history', 'git', 3],
  ['look at my emails and calendar', 'ms-365', 3],
  ['search for scientific papers', 'arxiv', 3],
  ['accepting payments from customers', 'stripe', 3],
])('M78 a request in English finds the app one would expect: %s', async (request, id, among) => {
  expect((await find(request)).slice(0, among)).toContain(id);
});

test.each([
  ['我想读文件', 'filesystem', 3],
  ['當前時間', 'time', 3],
  ['当前时间', 'time', 3],
  ['请帮我搜索网页', 'exa', 5],
  ['帮我查一下天气', 'amap', 3],
  ['帮我画流程图', 'drawio', 3],
  ['让智能体记住我说的话', 'memory', 3],
  ['操作浏览器打开网页', 'playwright', 3],
  ['查看我的邮件和日历', 'ms-365', 3],
  ['我想读取PDF里的文字', 'pdf-reader', 3],
  ['我想给Slack频道发消息', 'slack', 3],
  ['我想查询PostgreSQL数据库', 'dbhub', 3],
  ['请帮我查看代码仓库的提交历史', 'git', 3],
  ['我想在地图上查找地点和路线', 'amap', 5],
  ['请把PDF转换成Markdown', 'markitdown', 3],
])('M79 a request in Chinese finds the app one would expect: %s', async (request, id, among) => {
  expect((await find(request)).slice(0, among)).toContain(id);
});

test('M78 words that say nothing, forms of a word and words that no app has change nothing', async () => {
  const plain = await find('read files');
  for (const request of ['please read my files', 'I want to read the files', 'reading files', 'read file', 'read files zzqxv']) expect(await find(request)).toEqual(plain);
});

test('M78 the more and the rarer of a request is found, the earlier', async () => {
  expect((await find('read commits'))[0]).toMatch(/^git/);
  const found = await find('search the web for papers');
  expect(found[0]).toBe('arxiv');
  expect((await find('read nonsenseword files')).length).toBeLessThan(catalog.size / 2);
});

test('M78 a single word is searched as it is typed, a query of nothing but words that say nothing too', async () => {
  const bare = open();
  for (const query of ['github', 'gith', 'filesytem', 'files', 'my', 'the', '知识图谱', '图', 'who is it', 'to', '笔记']) expect(await find(query)).toEqual(await find(query, bare));
});

test('M79 the dictionary is read at the first Chinese query, and without it Chinese is searched as it is written', async () => {
  let read = 0;
  const counted = open({ ...words, chinese: () => ((read += 1), words.chinese()) });
  await find('read my files', counted);
  await find('', counted);
  expect(read).toBe(0);
  await find('我想读文件', counted);
  expect(read).toBe(1);
  const problems: string[] = [];
  const torn = open(requestWordsOf(join(assets, 'nowhere')), ({ file }) => problems.push(file));
  expect(await find('知识图谱', torn)).toEqual(['memory']);
  expect(await find('我想读文件', torn)).toEqual([]);
  expect(problems).toEqual(['selection']);
});

test('M74 no request makes the search fail, nor is more than 12 of its words looked for', async () => {
  const cut = await words.chinese();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom('read', 'my', '文件', '我', '的', 'é', '__proto__', 'constructor', '𠀀', '\ud800', '', '한국')).map((all) => all.join(' '))), async (query) => {
      expect(readMarketRequest(query, words, cut)?.length ?? 0).toBeLessThanOrEqual(12);
      expect(await find(query)).toEqual(await find(query));
    }),
    { numRuns: 60 },
  );
  expect(readMarketRequest('alpha beta gamma '.repeat(5_000), words, cut)).toHaveLength(12);
});
