import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tokensOf } from './token-weight.ts';

/** A text, and its tokens as the encodings o200k_base and cl100k_base count them. */
const COUNTED: readonly (readonly [text: string, o200k: number, cl100k: number])[] = [
  ['{"type":"function","name":"read_file","description":"Read the complete contents of a file from the file system as text. Handles various text encodings and provides detailed error messages if the file cannot be read.","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"tail":{"type":"number","description":"If provided, returns only the last N lines of the file"}},"required":["path"]}}', 86, 85],
  ['{"type":"function","name":"maps_weather","description":"根据城市名称或者标准行政区划编码查询指定城市的天气预报，返回温度、降水概率与风力等信息","inputSchema":{"type":"object","properties":{"city":{"type":"string","description":"城市名称或者行政区划编码，例如“北京”"}},"required":["city"]}}', 77, 101],
  ['获取指定城市未来几天的天气预报，返回温度、降水概率与风力等信息。参数为城市名称，例如“北京”。请先查询城市编码，再调用本工具；每天最多查询一千次。', 49, 70],
  ['指定した都市の天気予報を取得し、気温、降水確率、風速などの情報を返します。', 29, 40],
  ['{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":100},"b":{"enum":["x","y","z"]},"c":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}', 50, 50],
];
/** Whole lists of real servers, counted the same way, a definition at a time. */
const LISTS: readonly (readonly [list: string, o200k: number, cl100k: number])[] = [
  ['filesystem', 1706, 1692], ['firecrawl', 16_646, 16_464], ['desktop-commander', 10_936, 10_839], ['mongodb', 13_756, 13_658], ['github-legacy', 3650, 3497], ['circleci', 11_805, 11_751], ['code-runner', 182, 179], ['kubernetes-node', 5180, 5014], ['app-budget', 80, 80],
];
const folder = fileURLToPath(new URL('../../shared/toollists/', import.meta.url));

test.each(COUNTED)('SE44 the tokens of %j are estimated within a quarter of what encodings count', (text, o200k, cl100k) => {
  const between = (o200k + cl100k) / 2;
  expect(Math.abs(tokensOf(text) - between) / between).toBeLessThanOrEqual(0.25);
});

test.skipIf(!existsSync(folder)).each(LISTS)('SE44 the tokens of the list of %s are estimated within a quarter (skipped without ../shared/toollists)', (list, o200k, cl100k) => {
  const { tools } = (JSON.parse(readFileSync(`${folder}${list}.json`, 'utf8')) as { result: { tools: { name: string; description?: string; inputSchema: unknown }[] } }).result;
  const estimate = tools.reduce((sum, { name, description, inputSchema }) => sum + tokensOf(JSON.stringify({ type: 'function', name, description, inputSchema })), 0);
  for (const counted of [o200k, cl100k]) expect(Math.abs(estimate - counted) / counted).toBeLessThanOrEqual(0.25);
});
