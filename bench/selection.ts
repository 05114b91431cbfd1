import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { readSelectionWords } from '../main/agent/selection/assets.ts';
import { rankTools } from '../main/agent/selection/rank.ts';
import type { ToolText } from '../main/agent/selection/tool-fields.ts';
import { ToolIndex } from '../main/agent/selection/tool-index.ts';
import { ToolSelector } from '../main/agent/selection/tool-selector.ts';
import { longestTurn } from './longest-block.ts';
import { quantile, type Row } from './table.ts';

const TOOLS = 10_000;
const A_SERVER = 20;
const assets = (folder: string): string => fileURLToPath(new URL(`../assets/${folder}`, import.meta.url));
const REQUESTS = [
  'Show me all open issues of the repository', 'Delete the file with the old report', 'Which customers paid in March?', 'Send Anna a mail that I will be late',
  'What is the weather in Lisbon tomorrow?', 'Create a bar chart from these numbers', 'Search the web for the latest news on trains', 'Convert the document to PDF and save it',
  '列出数据库里的所有表', '给安娜发送邮件', 'Get the details of the storage account <account> in resource group <group>', 'Translate this text into French and read it to me',
];

interface Observed {
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema?: unknown }[];
}

/** The tools that were observed at real servers, again and again under other servers and with other numbers, until there are enough. */
const manyTools = (): ToolText[] => {
  const observed = readdirSync(assets('observed')).sort().flatMap((file) => (JSON.parse(readFileSync(`${assets('observed')}/${file}`, 'utf8')) as Observed).tools.map((tool) => ({ tool, file })));
  return Array.from({ length: TOOLS }, (_, at) => {
    const { tool, file } = observed[at % observed.length]!;
    const serverId = `s${Math.floor(at / A_SERVER)}`;
    return { id: `mcp:${serverId}:tool:${tool.name}-${at}`, serverId, serverTitle: `${file.replace('.json', '')} ${Math.floor(at / observed.length)}`, definition: { name: tool.name, ...(tool.description === undefined ? {} : { description: tool.description }), inputSchema: tool.inputSchema } };
  });
};

const timed = <T>(run: () => T): { readonly ms: number; readonly value: T } => {
  const from = performance.now();
  const value = run();
  return { ms: performance.now() - from, value };
};

/** Choosing among 10,000 tools: a request, the index, and what a change of one server costs. */
export const benchSelection = async (): Promise<Row[]> => {
  const tools = manyTools();
  const words = await readSelectionWords(assets('selection'));
  const built = timed(() => {
    const index = new ToolIndex(words);
    for (const tool of tools) index.add(tool);
    return index;
  });
  const mini = timed(() => {
    const index = new MiniSearch<{ id: string; name: string; description: string }>({ fields: ['name', 'description'], searchOptions: { fuzzy: 0.2 } });
    index.addAll(tools.map(({ id, definition }) => ({ id, name: definition.name, description: definition.description ?? '' })));
    return index;
  });
  const times: number[] = [];
  const peerTimes: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    for (const request of REQUESTS) {
      const own = timed(() => rankTools(request, built.value, { count: 20 })).ms;
      const peer = timed(() => mini.value.search(request)).ms;
      // the first round warms up
      if (round > 0) times.push(own);
      if (round > 0) peerTimes.push(peer);
    }
  }
  const updates = Array.from({ length: 40 }, (_, at) => {
    const serverId = `s${at * 7}`;
    const own = tools.filter((tool) => tool.serverId === serverId);
    return timed(() => {
      built.value.removeServer(serverId);
      for (const tool of own) built.value.add(tool);
    }).ms;
  });
  const selector = new ToolSelector(assets('selection'));
  const choosable = tools.map((tool) => ({ ...tool, definitionFingerprint: tool.id }));
  const holdMs = await longestTurn(() => selector.rank(REQUESTS[0]!, choosable, 20));
  const unit = 'ms' as const;
  const p95 = quantile(times, 0.95);
  return [
    { what: 'selection among 10,000 tools, p50', unit, gantry: quantile(times, 0.5), peer: quantile(peerTimes, 0.5), peerName: 'minisearch' },
    { what: 'selection among 10,000 tools, p95', unit, gantry: p95, peer: quantile(peerTimes, 0.95), peerName: 'minisearch', aim: '1', met: p95 <= 1 },
    { what: 'selection: index of 10,000 tools built', unit, gantry: built.ms, peer: mini.ms, peerName: 'minisearch', aim: '2000', met: built.ms <= 2000 },
    { what: 'selection: one server of 20 tools renewed, p95', unit, gantry: quantile(updates, 0.95), aim: '20', met: quantile(updates, 0.95) <= 20 },
    { what: 'selection: longest hold of the host while the first choice is made', unit, gantry: holdMs, aim: '50', met: holdMs <= 50 },
  ];
};
